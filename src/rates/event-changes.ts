import type { Db } from '../platform/database/database.ts';
import { isoDate } from '../platform/time/time.ts';
import { listCategoryChanges } from './categories/category-change-log.ts';
import { printCategoryChanges } from './categories/category-wire.ts';
import { printChanges } from './change-wire.ts';
import { listChangesOf } from './store.ts';

/** The changes of a snapshot date, printed as the API answers them, and their count. */
type ReadPrinted = (
  snapshotDate: string,
) => Promise<{ readonly json: string; readonly count: number }>;

/** Creates the functions that read what the events of a snapshot carry (contract C28). */
export function createEventChanges(db: Db): {
  readonly readChanges: ReadPrinted;
  readonly readCategoryChanges: ReadPrinted;
} {
  return {
    readChanges: async (date) => {
      const changes = await listChangesOf(db, isoDate(date));
      return { json: printChanges(changes), count: changes.length };
    },
    readCategoryChanges: async (date) => {
      const changes = (await listCategoryChanges(db, isoDate(date))) ?? [];
      return { json: printCategoryChanges(changes), count: changes.length };
    },
  };
}
