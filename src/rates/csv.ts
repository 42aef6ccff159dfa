import type { CsvTable } from '../platform/csv/csv.ts';
import { parseExactJson } from '../platform/values/exact-json.ts';
import type { RateChange } from './diff.ts';

/** The stored body of `/rates/<version>`, its numbers as decimal text. */
type PrintedSnapshot = {
  readonly version: string;
  readonly rates: Readonly<
    Record<
      string,
      {
        readonly country: string;
        readonly currency: string;
        readonly standard: string | null;
        readonly reduced: readonly string[];
        readonly super_reduced: string | null;
        readonly parking: string | null;
      }
    >
  >;
};

/** The columns of a snapshot. Callers keep the CSV of a date as immutable, so these never change (contract C8). */
export const rateColumns = [
  'country',
  'name',
  'currency',
  'standard',
  'reduced',
  'super_reduced',
  'parking',
  'version',
] as const;

/** The columns of rate changes, which never change either. */
export const changeColumns = [
  'id',
  'snapshotDate',
  'country',
  'field',
  'old',
  'new',
  'detectedAt',
] as const satisfies readonly (keyof RateChange)[];

/**
 * A snapshot as a table with one row for each country, made from its stored body. The reduced rates are separated by blanks:
 * a comma or a semicolon would split the cell in some spreadsheets.
 */
export function ratesTable(body: string): CsvTable {
  const { version, rates } = parseExactJson(body) as PrintedSnapshot;
  return {
    columns: rateColumns,
    rows: Object.entries(rates).map(([code, rate]) => [
      code,
      rate.country,
      rate.currency,
      rate.standard,
      rate.reduced.join(' '),
      rate.super_reduced,
      rate.parking,
      version,
    ]),
  };
}

/** Rate changes as a table. */
export function changesTable(changes: readonly RateChange[]): CsvTable {
  return {
    columns: changeColumns,
    rows: changes.map((change) => changeColumns.map((name) => change[name])),
  };
}
