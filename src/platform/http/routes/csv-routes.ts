import { type CsvTable, printCsv } from '../../csv/csv.ts';
import { publicResult } from '../responses/prepared-response.ts';
import {
  type CachePolicy,
  createRepresentation,
  type Representation,
} from '../responses/representation.ts';
import { asCsv } from './define-route.ts';
import type { CachedRoute, CachedRoutes } from './cached-routes.ts';

/** The media type of CSV (contract C36). */
export const csvType = 'text/csv; charset=utf-8; header=present';

/** The names of columns for the reference, each with what has to be said about it: `country` (ISO 3166-1). */
export function columnsInWords<Name extends string>(
  columns: readonly Name[],
  remarks: { readonly [N in Name]?: string } = {},
): string {
  return columns
    .map((name) => (remarks[name] === undefined ? `\`${name}\`` : `\`${name}\` ${remarks[name]}`))
    .join(', ');
}

/** The end of a path: nothing for JSON. */
export type PathSuffix = '' | '.csv';

/** The data of a response, how long it may be kept, and its header `Link`. */
export type Found<Data> = {
  readonly data: Data;
  readonly policy: CachePolicy;
  readonly link?: string | undefined;
};

/** A table, and the name under which a browser saves it, without `.csv`. */
export type CsvFile = { readonly name: string; readonly table: CsvTable };

/** A cached route whose data is a list or a snapshot. */
export type ListRoute<Parameters, Data> = Omit<CachedRoute<Parameters>, 'find' | 'findFree'> & {
  /** Finds the data, or throws the error that ends the request. */
  readonly find: (parameters: Parameters, suffix: PathSuffix) => Found<Data> | Promise<Found<Data>>;
  /** Throws the 400 for parameters that no table can answer. */
  readonly refuseAsCsv?: (parameters: Parameters) => void;
  readonly toJson: (data: Data, parameters: Parameters) => Representation;
  /** The same data as a table. */
  readonly toCsv: (data: Data, parameters: Parameters) => CsvFile;
};

/**
 * Adds two routes for the same data: one for JSON, and one for CSV whose path has `.csv` at its end (contract C36).
 *
 * Parameters, costs, limits, errors and cache policies are the same. No header selects the form, so no response varies.
 */
export function addWithCsv<Parameters, Data>(
  cachedRoutes: Pick<CachedRoutes, 'add'>,
  { find, refuseAsCsv, toJson, toCsv, ...route }: ListRoute<Parameters, Data>,
): void {
  cachedRoutes.add({
    ...route,
    find: async (parameters) => {
      const { data, policy, link } = await find(parameters, '');
      return publicResult(toJson(data, parameters), policy, link);
    },
  });
  cachedRoutes.add({
    ...route,
    url: `${route.url}.csv`,
    definition: route.definition && asCsv(route.definition),
    read: (input) => {
      const parameters = route.read(input);
      refuseAsCsv?.(parameters);
      return parameters;
    },
    find: async (parameters) => {
      const { data, policy, link } = await find(parameters, '.csv');
      const { name, table } = toCsv(data, parameters);
      const representation = createRepresentation(printCsv(table), csvType);
      return { ...publicResult(representation, policy, link), fileName: `${name}.csv` };
    },
  });
}
