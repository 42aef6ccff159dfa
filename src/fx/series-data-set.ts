import type { DataSet } from '../platform/publication/data-set.ts';
import { followedAs } from './absences/completeness.ts';
import { compareHeldPublication } from './publishing/held-publication.ts';
import { deletePublications } from './publishing/publish.ts';
import type { Series } from './series.ts';

/** The data set of a series: the engine of publications asks the series everything that it can answer. */
export function seriesDataSet(
  series: Series,
  own: Pick<DataSet, 'publishedTables' | 'correctionAdvice' | 'api'>,
): DataSet {
  const { snapshots, timetable } = series;
  return {
    snapshots,
    deleteVersions: async (tx, versions) => deletePublications(tx, series, versions),
    ...followedAs(series),
    today: (nowMs) => timetable.today(nowMs),
    countMissed: (newest, nowMs) => timetable.countMissed(newest, nowMs),
    isRunDue: (state) => timetable.isRunDue(state),
    nextRunMs: (state) => timetable.nextRunMs(state),
    compareHeld: async (db, held) => compareHeldPublication(db, series, held),
    ...own,
  };
}
