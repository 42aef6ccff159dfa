import type * as fxStore from './fx/store.ts';
import { missedPublications } from './fx/timetable.ts';
import type { Db } from './platform/database/database.ts';
import type { SyncReader } from './platform/database/sync-reader.ts';
import type { ResponseCache } from './platform/http/responses/response-cache.ts';
import { PublishedSnapshots } from './platform/http/responses/published-snapshots.ts';
import type { DataSet } from './platform/ops/status.ts';
import type { IsoDate } from './platform/time.ts';
import type * as ratesStore from './rates/store.ts';
import { missedVersions } from './rates/timetable.ts';

/** The published snapshots of a data set, read from its store: at once where the engine is SQLite. */
export function createPublished(
  parts: {
    readonly db: Db;
    readonly reads: SyncReader | undefined;
    readonly memory: ResponseCache;
  },
  store: Pick<typeof ratesStore | typeof fxStore, 'findLatest' | 'findBody' | 'bodyQuery'>,
): PublishedSnapshots<IsoDate> {
  const { db, reads, memory } = parts;
  const readBody = reads?.prepare(store.bodyQuery(db, '' as IsoDate));
  const findLater = async (date: IsoDate): Promise<string | undefined> => store.findBody(db, date);
  const findNow = (date: IsoDate): ReturnType<typeof findLater> | string | undefined => {
    try {
      return readBody?.(date)?.body;
    } catch {
      // The other connection waits where this one fails, and says what is wrong.
      return findLater(date);
    }
  };
  const findBody = readBody === undefined ? findLater : findNow;
  return new PublishedSnapshots<IsoDate>(
    { findLatest: async () => store.findLatest(db), findBody },
    memory,
  );
}

/** The published snapshots of both data sets. */
export type Published = {
  readonly rates: PublishedSnapshots<IsoDate>;
  readonly fx: PublishedSnapshots<IsoDate>;
};

/** The status of both data sets. */
export function describeData({ rates, fx }: Published): DataSet[] {
  return [
    {
      kind: 'rates',
      newestDate: () => rates.newestDate,
      countMissed: (nowMs) => missedVersions(rates.newestDate, nowMs),
    },
    {
      kind: 'fx',
      newestDate: () => fx.newestDate,
      countMissed: (nowMs) => missedPublications(fx.newestDate, nowMs),
    },
  ];
}
