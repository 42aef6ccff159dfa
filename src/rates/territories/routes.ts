import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { publicResult, type RouteResult } from '../../platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { RouteInput } from '../../platform/http/routes/cached-routes.ts';
import { readParameter } from '../../platform/http/routes/query-parameters.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import type { DataSetRouteParts } from '../../platform/publication/routes.ts';
import type { CategoryReader } from '../categories/category-reader.ts';
import type { CountryRows } from '../categories/category-row.ts';
import { memberStateExpected } from '../read-member-state.ts';
import { findTerritories, parsePostcode } from './find-territories.ts';
import { namedByTedb, readAddressCountry, territories, type Territory } from './territory.ts';

/** The message of a malformed postcode. */
export const postcodeExpected = '2 to 10 letters and digits, with a country';

type Question = {
  /** As {@link readAddressCountry} reads it; undefined for all. */
  readonly country: string | undefined;
  readonly postcode: string | undefined;
};

/** Adds `/territories` and `/territories/:country` (rule G8). */
export function addTerritoryRoutes(
  parts: DataSetRouteParts & { readonly reader: CategoryReader },
): void {
  const { cachedRoutes } = parts;
  const find = async (question: Question): Promise<RouteResult> =>
    publicResult(createRepresentation(printAnswer(question, await readLatest(parts))), 'latest');
  cachedRoutes.add({
    url: '/territories',
    operation: 'listTerritories',
    query: ['country', 'postcode'],
    read: readQuestion,
    find,
  });
  cachedRoutes.add({
    url: '/territories/:country',
    operation: 'listTerritoriesOfCountry',
    read: ({ params }) => ({ country: readCountry(params), postcode: undefined }),
    find,
  });
}

/** The rows of the latest snapshot; none before the first with rows. The table of law needs no snapshot. */
async function readLatest({
  published,
  reader,
}: DataSetRouteParts & { readonly reader: CategoryReader }): Promise<readonly CountryRows[]> {
  const date = published.newestDate;
  return (date === undefined ? undefined : await reader.find(date)) ?? [];
}

function readCountry(parameters: RouteInput['query']): string | undefined {
  return readParameter(parameters, 'country', readAddressCountry, memberStateExpected);
}

/** A parameter that is empty or given twice is malformed (contract C6). */
function readQuestion({ query }: RouteInput): Question {
  const country = readCountry(query);
  const given = query['postcode'];
  if (given === undefined) return { country, postcode: undefined };
  const postcode =
    typeof given === 'string' && country !== undefined ? parsePostcode(given, country) : undefined;
  if (postcode === undefined) throw invalidField('postcode', postcodeExpected);
  return { country, postcode };
}

function printAnswer({ country, postcode }: Question, rows: readonly CountryRows[]): string {
  const match =
    country === undefined
      ? { territories, decided: undefined }
      : findTerritories(country, postcode);
  return JSON.stringify({
    territories: match.territories.map((one) => toWire(one, rows)),
    count: match.territories.length,
    // Left out if undefined.
    decided: match.decided,
  });
}

function toWire({ tedbName, ...territory }: Territory, countries: readonly CountryRows[]): object {
  const own = countries.find(({ country }) => country === territory.country);
  const all = own === undefined ? [] : [...(own.standardOfTerritories ?? []), ...own.rows];
  const rows =
    tedbName === null
      ? []
      : all.filter((row) =>
          namedByTedb(territory.country, row.territory ?? '').some(
            ({ code }) => code === territory.code,
          ),
        );
  return {
    ...territory,
    // Beside the rates of law, never merged with them: TEDB can be late or leave rates out.
    tedbRates: rows.map(({ kind, treatment, rate, territory: text, situationOn }) => ({
      kind,
      treatment,
      rate: jsonNumber(rate),
      territory: text,
      situation_on: situationOn,
    })),
  };
}
