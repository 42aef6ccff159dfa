import { stableId } from '../../platform/values/digest.ts';
import type { CountryCode } from '../member-states.ts';
import type { CountryRows, SetRows, StoredRow } from './category-row.ts';
import { interpretRows } from './interpret-rows.ts';

/** The rows of one country with an id made from their content, as they are stored (rule G2). */
export type CategorySet = CountryRows & {
  readonly id: string;
  /** The rows as JSON, as they are stored. */
  readonly text: string;
};

/** The ids of a snapshot's sets by country code, ascending. */
export type SetIds = Readonly<Record<string, string>>;

/**
 * Makes the set of a country: equal contents have equal texts. TEDB lists rows in any order and repeats some, so they
 * are sorted, without repetition.
 */
export function toCategorySet(country: CountryCode, rows: readonly StoredRow[]): CategorySet {
  const byText = new Map(rows.map((row) => [JSON.stringify(row), row]));
  const sorted = [...byText].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = `[${sorted.map(([printed]) => printed).join(',')}]`;
  const id = stableId('cs', country, text);
  return { country, ...splitRows(sorted.map(([, row]) => row)), text, id };
}

/** The ids by which a snapshot references its sets. */
export function idsOf(sets: readonly CategorySet[]): SetIds {
  return Object.fromEntries(sets.map(({ country, id }) => [country, id]));
}

/** Reads the rows of a stored set. */
export function parseRows(text: string): SetRows {
  return splitRows(JSON.parse(text) as readonly StoredRow[]);
}

/** Sets that 0.2 stored have rows with a category only. */
function splitRows(stored: readonly StoredRow[]): SetRows {
  const all = interpretRows(stored);
  const standardOfTerritories = all.filter(({ category }) => category === '');
  if (standardOfTerritories.length === 0) return { rows: all };
  return { rows: all.filter(({ category }) => category !== ''), standardOfTerritories };
}

/** The countries of a snapshot with their rows; throws for a set that is missing, which would be a bug. */
export function joinRows(
  ids: SetIds,
  rowsOf: ReadonlyMap<string, SetRows>,
): readonly CountryRows[] {
  return Object.entries(ids).map(([country, id]) => {
    const rows = rowsOf.get(id);
    if (rows === undefined) throw new Error(`categories: there is no set ${id} of ${country}`);
    return { country: country as CountryCode, ...rows };
  });
}
