import type { CountryRows } from '../categories/category-row.ts';
import { namedByTedb } from './territory.ts';

/** The territories that TEDB names and the table of territories does not know: `AT Kleinwalsertal` (rule G7). */
export function listUnknownTerritories(countries: readonly CountryRows[]): readonly string[] {
  const named = countries.flatMap(({ country, rows, standardOfTerritories = [] }) =>
    [...rows, ...standardOfTerritories].flatMap(({ territory }) =>
      territory === null || namedByTedb(country, territory).length > 0
        ? []
        : [`${country} ${territory.slice(0, 100)}`],
    ),
  );
  return [...new Set(named)].sort();
}
