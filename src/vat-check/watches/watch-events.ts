import type { Tx } from '../../platform/database/database.ts';
import type { AnnounceOfKey } from '../stored/check-events.ts';
import { findCheck } from '../stored/check-store.ts';
import type { OnEnded } from '../stored/on-ended.ts';
import { printCheck } from '../stored/print-check.ts';
import { printWatch } from './print-watch.ts';
import { observeCheck } from './watch-changes.ts';
import type { Watch } from './watch.ts';

/**
 * Writes the state of a watch when one of its checks ends. Announces `vat.changed` if the answer differs from the one
 * before (rule K14), and `vat.watch_failed` if the registry has refused the check, once until an answer comes (rule K13).
 * The event is deleted with the check that it reports.
 */
export function announceObserved(announce: AnnounceOfKey): OnEnded {
  return async (tx, check) => {
    const observed = await observeCheck(tx, check);
    if (observed === undefined || check.endedAt === null) return;
    const { id: subject, keyId, endedAt: at } = check;
    const watch = printWatch(observed.watch, check);
    const current = printCheck(check);
    if (observed.kind === 'failed') {
      const fields = { watch, check: current };
      return announce(tx, [{ type: 'vat.watch_failed', at, keyId, subject, fields }]);
    }
    const { previous, changed } = observed;
    const fields = { watch, previous: printCheck(previous), current, changed };
    return announce(tx, [{ type: 'vat.changed', at, keyId, subject, fields }]);
  };
}

/**
 * Announces `vat.watch_failed` for a watch whose check was not made, because of its quota or its requester. The event is
 * deleted with the newest check of the watch, of which it has a copy; without one, with the watch.
 *
 * The transaction has locked that check, so it is not deleted until the event is written.
 */
export async function announceNotMade(
  tx: Tx,
  announce: AnnounceOfKey,
  watch: Watch,
): Promise<void> {
  const { id, keyId, lastCheckId, failedAt: at } = watch;
  if (at === null) return;
  const last = lastCheckId === null ? undefined : await findCheck(tx, keyId, lastCheckId);
  const fields = { watch: printWatch(watch, last), check: null };
  const subject = last?.id ?? id;
  await announce(tx, [{ type: 'vat.watch_failed', at, keyId, subject, occasion: at, fields }]);
}
