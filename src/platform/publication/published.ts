import type { Db } from '../database/database.ts';
import type { SyncReader } from '../database/sync-reader.ts';
import { PublishedSnapshots } from '../http/responses/published-snapshots.ts';
import type { ResponseCache } from '../http/responses/response-cache.ts';
import type { IsoDate } from '../time.ts';
import type { DataSet } from './data-set.ts';
import { countWithdrawals } from './withdrawal-store.ts';

/** The published snapshots of a data set; dated ones are read synchronously if the engine is SQLite. */
export function createPublished(
  { kind, findLatest, snapshots }: DataSet,
  parts: {
    readonly db: Db;
    readonly reads: SyncReader | undefined;
    readonly responseCache: ResponseCache;
  },
): PublishedSnapshots {
  const { db, reads, responseCache } = parts;
  const readBody = reads?.prepare(snapshots.bodyQuery(db, '' as IsoDate));
  const findLater = async (date: IsoDate): Promise<string | undefined> =>
    snapshots.findBody(db, date);
  const findNow = (date: IsoDate): ReturnType<typeof findLater> | string | undefined => {
    try {
      return readBody?.(date)?.body;
    } catch {
      // The other connection waits for locks on which this one fails, and its error is complete.
      return findLater(date);
    }
  };
  return new PublishedSnapshots(
    {
      countWithdrawals: async () => countWithdrawals(db, kind),
      findLatest: async () => findLatest(db),
      findBody: readBody === undefined ? findLater : findNow,
    },
    responseCache,
  );
}
