import { randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.ts';

/** What an operator did by hand: when, what, to which thing, and what there is to know of it. */
export type AuditEntry = {
  readonly at: string;
  /** A command, e.g. `keys.revoke`. */
  readonly action: string;
  /** The id or date that it was done to. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Records what an operator's hand did, in the transaction that does it. */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      id: `aud_${randomUUID()}`,
      at: entry.at,
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail),
    })
    .execute();
}

/** What was done by hand, the newest first. */
export async function listAudit(db: Db, limit: number): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ at, action, subject, detail }) => ({
    at,
    action,
    subject,
    detail: JSON.parse(detail) as AuditEntry['detail'],
  }));
}
