import type { Db } from '../../platform/database/database.ts';
import type { RevisionWatch } from '../../platform/database/replicas/revisions.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { findSnapshotCategories, readCountryRows } from '../categories/category-store.ts';
import { listUnknownTerritories } from './territory.ts';

/**
 * Creates a function that lists the unknown territories of the newest snapshot, for the status.
 *
 * The rows are read once for each snapshot, in whichever process: they are 400 KB, and a published snapshot does not
 * change. A snapshot without rows is read again each time, because a backfill can add them.
 *
 * @param newestDate The date of the newest snapshot; undefined before the first.
 * @param watch If the database went back, the rows are read again: another snapshot may have the same date.
 */
export function createUnknownInLatest(
  db: Db,
  newestDate: () => IsoDate | undefined,
  watch: Pick<RevisionWatch, 'onGoneBack'>,
): () => Promise<readonly string[]> {
  let known: { readonly date: IsoDate; readonly territories: readonly string[] } | undefined;
  watch.onGoneBack(() => (known = undefined));
  return async () => {
    const date = newestDate();
    if (date === undefined) return [];
    if (known?.date === date) return known.territories;
    const found = await findSnapshotCategories(db, date);
    if (found === undefined) return [];
    const territories = listUnknownTerritories(await readCountryRows(db, found.sets));
    known = { date, territories };
    return territories;
  };
}
