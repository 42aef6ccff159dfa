import { type CategoryRow, type CountryRows, printRate } from './category-row.ts';

/** A category of a country whose rows differ between two snapshots (rule G9). */
export type CategoryChange = {
  readonly country: string;
  readonly category: string;
  /** All rows of the country and category, territories included. */
  readonly before: readonly CategoryRow[];
  readonly after: readonly CategoryRow[];
};

/**
 * Lists the categories whose rows differ in rate, treatment, codes or territory, by country, then category.
 *
 * A row with another comment or another situation date only is the same row.
 */
export function diffCategories(
  previous: readonly CountryRows[],
  current: readonly CountryRows[],
): CategoryChange[] {
  const before = new Map(previous.map(({ country, rows }) => [country, rows]));
  const after = new Map(current.map(({ country, rows }) => [country, rows]));
  const countries = [...new Set([...before.keys(), ...after.keys()])].sort();
  return countries.flatMap((country) => {
    const was = groupRows(before.get(country));
    const is = groupRows(after.get(country));
    return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((category) => {
      const rows = { before: was.get(category) ?? [], after: is.get(category) ?? [] };
      const isSame = printContent(rows.before) === printContent(rows.after);
      return isSame ? [] : [{ country, category, ...rows }];
    });
  });
}

function groupRows(rows: readonly CategoryRow[] = []): Map<string, CategoryRow[]> {
  return Map.groupBy(rows, ({ category }) => category);
}

function printContent(rows: readonly CategoryRow[]): string {
  const keys = rows.map(({ treatment, rate, cnCodes, cpaCodes, territory }) =>
    JSON.stringify([treatment, rate, cnCodes, cpaCodes, territory]),
  );
  return keys.sort().join('\n');
}

/**
 * Counts the rows of a country that are new, that are gone, and that have another rate or treatment than before.
 *
 * A row has no identity in TEDB: rows of the same category, codes and territory are compared as a group.
 */
export function countDifferences(
  was: readonly CategoryRow[],
  is: readonly CategoryRow[],
): { readonly added: number; readonly removed: number; readonly changed: number } {
  // A set that the snapshot has kept.
  if (was === is) return { added: 0, removed: 0, changed: 0 };
  const now = Map.groupBy(is, toGroup);
  let kept = 0;
  let changed = 0;
  for (const [group, rows] of Map.groupBy(was, toGroup)) {
    const rates = (now.get(group) ?? []).map(printRate);
    const left = rows.map(printRate).filter((rate) => {
      const at = rates.indexOf(rate);
      if (at >= 0) rates.splice(at, 1);
      return at < 0;
    });
    kept += rows.length - left.length;
    changed += Math.min(left.length, rates.length);
  }
  return {
    added: is.length - kept - changed,
    removed: was.length - kept - changed,
    changed,
  };
}

function toGroup({ category, cnCodes, cpaCodes, territory }: CategoryRow): string {
  return JSON.stringify([category, cnCodes, cpaCodes, territory]);
}
