import type { Db } from '../../platform/database/database.ts';
import { toWire } from '../../platform/fields/to-wire.ts';
import { printCheck, printTrader } from '../stored/print-check.ts';
import { type StoredCheck, toStoredCheck } from '../stored/stored-check.ts';
import { withCountry } from '../numbers/vat-number.ts';
import { type PrintedWatch, watchSchema } from './definitions.ts';
import type { Watch } from './watch.ts';

export type { PrintedWatch } from './definitions.ts';

/** Prints a watch with its newest check. */
export function printWatch(watch: Watch, lastCheck: StoredCheck | undefined): PrintedWatch {
  return toWire(watchSchema, {
    ...watch,
    requester: watch.requester === undefined ? null : withCountry(watch.requester),
    trader: printTrader(watch.trader),
    lastCheck: lastCheck === undefined ? null : printCheck(lastCheck),
    nextCheckAt: watch.dueAt,
  }) as PrintedWatch;
}

/** Prints watches, each with its newest check. */
export async function printWatches(db: Db, watches: readonly Watch[]): Promise<PrintedWatch[]> {
  const ids = watches.flatMap(({ lastCheckId }) => lastCheckId ?? []);
  const rows =
    ids.length === 0
      ? []
      : await db.selectFrom('vat_checks').selectAll().where('id', 'in', ids).execute();
  const checks = new Map(rows.map((row) => [row.id, toStoredCheck(row)]));
  return watches.map((watch) => printWatch(watch, checks.get(watch.lastCheckId ?? '')));
}
