import type { DataSet } from '../platform/publication/data-set.ts';
import { fxTable } from './csv.ts';
import { deletePublications } from './publish.ts';
import { findLatest, fxSnapshots } from './store.ts';
import { isRunDue, missedPublications, nextRunMs, todayInFrankfurt } from './timetable.ts';

/** The euro reference rates, from the ECB (interface 4.4). */
export const fxDataSet: DataSet = {
  kind: 'fx',
  snapshots: fxSnapshots,
  publishedTables: { fx_snapshots: 'FX snapshots' },
  deleteVersions: deletePublications,
  findLatest,
  today: todayInFrankfurt,
  countMissed: missedPublications,
  isRunDue,
  nextRunMs,
  correctionAdvice: '"fx corrections" lists them, "fx correct DATE" applies them',
  api: {
    path: '/fx',
    operations: { latest: 'getLatestFx', dates: 'listFxDates', dated: 'getFx' },
    toTable: fxTable,
    noneYet: 'noFxYet',
    notFound: 'fxSnapshotNotFound',
  },
};
