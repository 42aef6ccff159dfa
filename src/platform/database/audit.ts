import { randomUUID } from 'node:crypto';
import type { Db, Tx } from './database.ts';
import { setMark } from './marks.ts';

/** The operator who ran a command. */
export type Operator = {
  /** The user and the host of the command: `ann@web-1`. */
  readonly actor: string;
  /** From `--reason`; null without it. */
  readonly reason: string | null;
};

/** A record of a command that an operator ran, or of a subscription that a caller changed. */
export type AuditEntry = Change & {
  /** The operator's user and host, or the id of a caller's key; null in rows of earlier versions. */
  readonly actor: string | null;
  readonly reason: string | null;
};

type Change = {
  readonly at: string;
  /** The command, e.g. `keys.revoke`. Actions that begin with `webhooks.` may be a caller's; `detail` then has `keyId`. */
  readonly action: string;
  /** The id or date that was changed. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/**
 * Records a change, in the transaction that makes it. The record is the mark of the transaction (`marks.ts`): if its COMMIT is
 * not acknowledged, it is looked for.
 */
export async function writeAudit(
  tx: Tx,
  change: Change & { readonly by: Operator | undefined },
): Promise<void> {
  const row = {
    id: `aud_${randomUUID()}`,
    at: change.at,
    action: change.action,
    subject: change.subject,
    detail: JSON.stringify(change.detail),
    actor: change.by?.actor ?? null,
    reason: change.by?.reason ?? null,
  };
  await tx.insertInto('audit').values(row).execute();
  setMark(tx, async (look) => {
    const again = look
      .insertInto('audit')
      .values(row)
      .onConflict((c) => c.doNothing());
    return (await again.returning('id').executeTakeFirst()) === undefined;
  });
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
  return rows.map(({ at, actor, action, subject, reason, detail }) => ({
    at,
    actor,
    action,
    subject,
    reason,
    detail: JSON.parse(detail) as AuditEntry['detail'],
  }));
}
