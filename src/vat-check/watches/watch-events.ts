import type { AnnounceOfKey } from '../stored/check-events.ts';
import type { OnEnded } from '../stored/on-ended.ts';
import { printCheck } from '../stored/print-check.ts';
import { printWatch } from './print-watch.ts';
import { observeCheck } from './watch-changes.ts';

/**
 * Writes the state of a watch when one of its checks ends, and announces `vat.changed` if the answer differs from the one
 * before (rule K14). The event is deleted with the check that it reports.
 */
export function announceChanged(announce: AnnounceOfKey): OnEnded {
  return async (tx, check) => {
    const change = await observeCheck(tx, check);
    if (change === undefined || check.endedAt === null) return;
    const { watch, previous, current, changed } = change;
    const fields = {
      watch: printWatch(watch, current),
      previous: printCheck(previous),
      current: printCheck(current),
      changed,
    };
    const { id: subject, keyId, endedAt: at } = check;
    await announce(tx, [{ type: 'vat.changed', at, keyId, subject, fields }]);
  };
}
