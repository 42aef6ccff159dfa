import { publicResult, type RouteResult } from '../../platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import { printAnswer } from '../../platform/http/routes/define-route.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import type { DataSetRouteParts } from '../../platform/publication/routes.ts';
import type { CategoryReader } from '../categories/category-reader.ts';
import type { CountryRows } from '../categories/category-row.ts';
import { listTerritories, listTerritoriesOfCountry } from './definitions.ts';
import { findTerritories } from './find-territories.ts';
import { namedByTedb, territories, type Territory } from './territory.ts';

type Question = {
  /** As {@link readAddressCountry} reads it; undefined for all. */
  readonly country: string | undefined;
  readonly postcode?: string | undefined;
};

/** Adds `/territories` and `/territories/:country` (rule G8). */
export function addTerritoryRoutes(
  parts: DataSetRouteParts & { readonly reader: CategoryReader },
): void {
  const { cachedRoutes } = parts;
  const find = async (question: Question): Promise<RouteResult> =>
    publicResult(createRepresentation(print(question, await readLatest(parts))), 'latest');
  cachedRoutes.add({ ...readAs(listTerritories), url: '/territories', find });
  cachedRoutes.add({ ...readAs(listTerritoriesOfCountry), url: '/territories/:country', find });
}

/** The rows of the latest snapshot; none before the first with rows. The table of law needs no snapshot. */
async function readLatest({
  published,
  reader,
}: DataSetRouteParts & { readonly reader: CategoryReader }): Promise<readonly CountryRows[]> {
  const date = published.newestDate;
  return (date === undefined ? undefined : await reader.find(date)) ?? [];
}

function print({ country, postcode }: Question, rows: readonly CountryRows[]): string {
  const match =
    country === undefined
      ? { territories, decided: undefined }
      : findTerritories(country, postcode);
  return printAnswer(listTerritories, {
    territories: match.territories.map((one) => withTedbRates(one, rows)),
    count: match.territories.length,
    // Left out if undefined.
    decided: match.decided,
  });
}

function withTedbRates(territory: Territory, countries: readonly CountryRows[]) {
  const own = countries.find(({ country }) => country === territory.country);
  const all = own === undefined ? [] : [...(own.standardOfTerritories ?? []), ...own.rows];
  const rows =
    territory.tedbName === null
      ? []
      : all.filter((row) =>
          namedByTedb(territory.country, row.territory ?? '').some(
            ({ code }) => code === territory.code,
          ),
        );
  return {
    ...territory,
    // Beside the rates of law, never merged with them: TEDB can be late or leave rates out.
    tedbRates: rows.map((row) => ({ ...row, situation_on: row.situationOn })),
  };
}
