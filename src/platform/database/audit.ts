import { randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.ts';

/** A command of an operator, or a caller's change of a subscription: when, what, to which thing. */
export type AuditEntry = {
  readonly at: string;
  /** A command, e.g. `keys.revoke`; `webhooks.change` and its like also for callers, with their `keyId`. */
  readonly action: string;
  /** The id or date that it was done to. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Records a change, in the transaction that makes it. */
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

/** The recorded changes, the newest first. */
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
