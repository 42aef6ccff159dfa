import type { Tx } from '../../platform/database/database.ts';
import type { OnEnded } from './on-ended.ts';
import { operatorId } from './owner.ts';
import { printCheck } from './print-check.ts';

/** Announces an event of one key in a transaction; the outbox of webhooks. */
export type AnnounceOfKey = (
  tx: Tx,
  event: {
    readonly type: 'vat.checked' | 'vat.changed';
    readonly at: string;
    readonly keyId: string;
    /** The id of the check; the event is deleted with it. */
    readonly subject: string;
    readonly fields: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

/**
 * Announces `vat.checked` once for each stored check that ends, with the check as its key reads it (rule K14). Checks of
 * watches and of the operator cause none.
 */
export function announceChecked(announce: AnnounceOfKey): OnEnded {
  return async (tx, check) => {
    const { id, keyId, watchId, createdAt, endedAt } = check;
    if (watchId !== null || keyId === operatorId || endedAt === null) return;
    const fields = { check: printCheck(check) };
    // A check that reuses an answer has the moment of that answer.
    const at = endedAt > createdAt ? endedAt : createdAt;
    await announce(tx, { type: 'vat.checked', at, keyId, subject: id, fields });
  };
}
