import type { Db } from '../database/database.ts';
import { PublishedSnapshots } from '../http/responses/published-snapshots.ts';
import type { ResponseCache } from '../http/responses/response-cache.ts';
import type { DataSet } from './data-set.ts';
import { countWithdrawals } from './withdrawal-store.ts';

/** The published snapshots of a data set. */
export function createPublished(
  { kind, findLatest, snapshots }: DataSet,
  { db, responseCache }: { readonly db: Db; readonly responseCache: ResponseCache },
): PublishedSnapshots {
  return new PublishedSnapshots(
    {
      countWithdrawals: async () => countWithdrawals(db, kind),
      findLatest: async () => findLatest(db),
      findBody: async (date) => snapshots.findBody(db, date),
    },
    responseCache,
  );
}
