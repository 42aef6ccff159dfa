import type { Tx } from '../../platform/database/database.ts';
import { operatorId } from './owner.ts';
import { printCheck } from './print-check.ts';
import type { StoredCheck } from './stored-check.ts';

/** Announces events of one key and one type in a transaction; the outbox of webhooks. */
export type AnnounceOfKey = (tx: Tx, events: readonly EventOfKey[]) => Promise<void>;

type EventOfKey = {
  readonly type: 'vat.checked' | 'vat.changed' | 'vat.watch_failed';
  readonly at: string;
  readonly keyId: string;
  /** The id of the check, or of a watch that has none yet; the event is deleted with it. */
  readonly subject: string;
  /** Part of the id, if several events of this type may be about the subject. */
  readonly occasion?: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/**
 * Announces `vat.checked` once for each stored check that ends, with the check as its key reads it (rule K14). Checks of
 * watches and of the operator cause none. The checks are of one key.
 */
export function announceChecked(
  announce: AnnounceOfKey,
): (tx: Tx, checks: readonly StoredCheck[]) => Promise<void> {
  return async (tx, checks) => {
    const events = checks.flatMap((check): readonly EventOfKey[] => {
      const { id, keyId, watchId, createdAt, endedAt } = check;
      if (watchId !== null || keyId === operatorId || endedAt === null) return [];
      const fields = { check: printCheck(check) };
      // A check that reuses an answer has the moment of that answer.
      const at = endedAt > createdAt ? endedAt : createdAt;
      return [{ type: 'vat.checked', at, keyId, subject: id, fields }];
    });
    if (events.length > 0) await announce(tx, events);
  };
}
