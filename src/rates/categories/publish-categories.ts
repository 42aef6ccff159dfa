import { joinJson } from '../../platform/values/exact-json.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { RateEntry, RateSnapshot } from '../snapshot.ts';
import { compareSets } from './category-change-log.ts';
import type { SetRows } from './category-row.ts';
import { type CategorySet, idsOf, joinRows, type SetIds } from './category-sets.ts';
import { findRows, findSnapshotCategories, insertSnapshotCategories } from './category-store.ts';
import { findAbolished, judgeCategories } from './judge-categories.ts';

/**
 * Stores the sets of a snapshot in its publishing transaction. Returns whether its rows have changed since the previous
 * snapshot; the first snapshot with rows has no change (rule G9).
 */
export async function publishCategories(
  tx: Tx,
  {
    version,
    sets,
    previous,
  }: {
    readonly version: IsoDate;
    readonly sets: SetIds;
    readonly previous: IsoDate | undefined;
  },
): Promise<boolean> {
  if (Object.keys(sets).length === 0) return false;
  const known = previous === undefined ? undefined : await findSnapshotCategories(tx, previous);
  await insertSnapshotCategories(tx, { version, sets, comparedWith: known?.version });
  return known !== undefined && (await compareSets(tx, known.sets, sets)).length > 0;
}

/** The reasons against the rows of an answer, compared with those of the newest snapshot (rule G10). */
export async function judgeSets(
  tx: Tx,
  answer: {
    readonly previous: RateSnapshot | undefined;
    readonly current: { readonly entries: readonly RateEntry[] };
    readonly categories: readonly CategorySet[];
  },
): Promise<readonly string[]> {
  const { previous, current, categories } = answer;
  if (previous === undefined) return [];
  const known = await findSnapshotCategories(tx, previous.version);
  if (known === undefined || isSame(known.sets, idsOf(categories))) return [];
  // Equal ids are equal rows, so only the sets that the answer no longer has are read.
  const rowsOf = new Map<string, SetRows>(categories.map((set) => [set.id, set]));
  const gone = Object.values(known.sets).filter((id) => !rowsOf.has(id));
  for (const [id, rows] of await findRows(tx, gone)) rowsOf.set(id, rows);
  const abolished = findAbolished(previous.entries, current.entries);
  return judgeCategories(joinRows(known.sets, rowsOf), categories, abolished);
}

/** Prints a held snapshot: its body, with the sets that it would be published with. */
export function printCandidate(body: string, sets: SetIds): string {
  return joinJson(body, { categories: sets });
}

/** Reads the sets of a held snapshot; none if it was held before goods categories were kept. */
export function readCandidateSets(candidate: string): SetIds {
  return (JSON.parse(candidate) as { readonly categories?: SetIds }).categories ?? {};
}

function isSame(a: SetIds, b: SetIds): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
