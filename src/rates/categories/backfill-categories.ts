import type { Db } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { addDays, type IsoDate } from '../../platform/time/time.ts';
import {
  type BackfillParts,
  type BackfillReport,
  daysFrom,
  noteFixedIn,
  readSpan,
} from '../backfill.ts';
import { parseSnapshot } from '../snapshot.ts';
import { rateSnapshots } from '../store.ts';
import { type CategorySet, idsOf } from './category-sets.ts';
import { insertSets, insertSnapshotCategories, listWithoutCategories } from './category-store.ts';

/**
 * Adds the rows by goods category to stored snapshots that have none, without events (rule G2).
 *
 * The snapshots themselves never change. TEDB's answer of today may differ from the one that was published; then a day
 * stays without rows and is reported as refused, because its rows would contradict its rates.
 */
export async function backfillCategories(
  range: { readonly from: IsoDate; readonly to: IsoDate },
  parts: BackfillParts,
): Promise<BackfillReport> {
  const { from, to } = range;
  const missing = new Set(await listWithoutCategories(parts.db, range));
  const present = await rateSnapshots.listDates(parts.db, range);
  const refused: { version: IsoDate; reasons: readonly string[] }[] = [];
  let stored = 0;

  let end = [...missing].at(-1);
  while (end !== undefined && !parts.signal.aborted) {
    const span = await readSpan({ from, end }, parts);
    if (span === undefined) break;
    const { reading, categories, reasons, start } = span;
    const days = daysFrom(start, end).filter((day) => missing.has(day));
    if (reasons.length > 0) refused.push({ version: end, reasons });
    else {
      const rates = JSON.stringify(reading.entries);
      for (const version of days) {
        if (await store(parts.db, { version, categories, rates })) stored += 1;
        else {
          const reason = "TEDB's rates for this date are not those of the published snapshot";
          refused.push({ version, reasons: [reason] });
        }
      }
      await noteFixedIn(parts.db, span, end);
    }
    const last: IsoDate = start;
    parts.onProgress({ version: last, daysLeft: daysFrom(from, addDays(last, -1)).length });
    end = [...missing].findLast((day) => day < last);
  }
  return { from, to, stored, skipped: present.length - missing.size, refused };
}

/** Stores the sets of a snapshot if its published rates are those of the answer; false if they are not. */
async function store(
  db: Db,
  of: {
    readonly version: IsoDate;
    readonly categories: readonly CategorySet[];
    /** The rates of the answer, as JSON. */
    readonly rates: string;
  },
): Promise<boolean> {
  const { version, categories, rates } = of;
  return db.transaction().execute(async (tx) => {
    const body = await rateSnapshots.findBody(tx, version);
    if (body === undefined || JSON.stringify(parseSnapshot(body).entries) !== rates) return false;
    await insertSets(tx, categories);
    const sets = idsOf(categories);
    await insertSnapshotCategories(tx, { version, sets, comparedWith: undefined });
    await bumpRevision(tx, 'rates');
    return true;
  });
}
