import type { Db } from '../../platform/database/database.ts';
import { type PrintedCheck, printCheck, printTrader } from '../stored/print-check.ts';
import { type StoredCheck, toStoredCheck } from '../stored/stored-check.ts';
import { type CountryAndNumber, withCountry } from '../vat-number.ts';
import type { Watch } from './watch.ts';

/** A watch as a caller receives it: in answers, lists and events (rule K13). */
export type PrintedWatch = {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly everyDays: number;
  readonly requester: CountryAndNumber | null;
  readonly trader: PrintedCheck['trader'];
  readonly reference: string | null;
  /** The newest check, in any status; null before the first one, and if it was deleted. */
  readonly lastCheck: PrintedCheck | null;
  readonly nextCheckAt: string;
  /** The reason why the number is not watched at present; null if it is. */
  readonly error: Watch['error'];
  readonly createdAt: string;
};

/** Prints a watch with its newest check. */
export function printWatch(watch: Watch, lastCheck: StoredCheck | undefined): PrintedWatch {
  return {
    countryCode: watch.countryCode,
    vatNumber: watch.vatNumber,
    everyDays: watch.everyDays,
    requester: watch.requester === undefined ? null : withCountry(watch.requester),
    trader: printTrader(watch.trader),
    reference: watch.reference,
    lastCheck: lastCheck === undefined ? null : printCheck(lastCheck),
    nextCheckAt: watch.dueAt,
    error: watch.error,
    createdAt: watch.createdAt,
  };
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
