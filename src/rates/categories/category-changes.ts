import type { CategoryRow, CountryRows } from './category-row.ts';

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
