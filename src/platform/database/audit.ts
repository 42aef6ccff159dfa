import { randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.ts';

/** A record of a command that an operator ran, or of a subscription that a caller changed. */
export type AuditEntry = {
  readonly at: string;
  /** The command, e.g. `keys.revoke`. Actions that begin with `webhooks.` may be a caller's; `detail` then has `keyId`. */
  readonly action: string;
  /** The id or date that was changed. */
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

/** Lists recorded changes, the newest first. */
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
