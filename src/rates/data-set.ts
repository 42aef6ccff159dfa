import type { DataSet } from '../platform/publication/data-set.ts';
import { findFirstWithCategories } from './categories/category-store.ts';
import { ratesTable } from './csv.ts';
import { deleteVersions, findLatest, rateSnapshots } from './store.ts';
import { isRunDue, missedVersions, nextRunMs, versionAt } from './timetable.ts';

/** The VAT rates of the Member States, from TEDB (interface 4.1). */
export const ratesDataSet: DataSet = {
  kind: 'rates',
  snapshots: rateSnapshots,
  publishedTables: { rate_snapshots: 'rate snapshots', rate_changes: 'rate changes' },
  deleteVersions,
  findLatest,
  today: versionAt,
  countMissed: missedVersions,
  isRunDue,
  nextRunMs,
  correctionAdvice:
    'nothing to do: published rates do not change, and the next version has the new values',
  api: {
    path: '/rates',
    operations: { latest: 'getLatestRates', dates: 'listRateDates', dated: 'getRates' },
    toTable: ratesTable,
    readMoreOfDates: async (db) => ({
      categoriesFrom: (await findFirstWithCategories(db)) ?? null,
    }),
    noneYet: 'noRatesYet',
    notFound: 'snapshotNotFound',
  },
};
