import type { RateEntry } from '../snapshot.ts';
import { type CategoryRow, type CountryRows, isDomestic } from './category-row.ts';

/** A category of a snapshot. */
export type CategorySummary = {
  /** TEDB's identifier. */
  readonly category: string;
  readonly description: string;
  /** The number of countries with a national rate below their standard rate for it, 0 included. */
  readonly countries: number;
};

/** Lists the categories of a snapshot by identifier, with the number of countries that apply a reduced rate (rule G6). */
export function countCategories(
  countries: readonly CountryRows[],
  entries: readonly RateEntry[],
): CategorySummary[] {
  const standards = new Map<string, string>(entries.map((one) => [one.country, one.standard]));
  const categories = new Map<string, { description: string; countries: Set<string> }>();
  for (const { country, rows } of countries) {
    for (const row of rows) {
      const { category, description } = row;
      const known = categories.get(category) ?? { description, countries: new Set() };
      categories.set(category, known);
      if (isReduced(row, standards.get(country))) known.countries.add(country);
    }
  }
  return [...categories]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, { description, countries: own }]) => ({
      category,
      description,
      countries: own.size,
    }));
}

function isReduced(row: CategoryRow, standard: string | undefined): boolean {
  if (!isDomestic(row)) return false;
  const { treatment, rate } = row;
  // "Taxed at the standard rate" is written as a reduced rate that equals it.
  return treatment === 'zero' || (treatment === 'rate' && rate !== null && rate !== standard);
}
