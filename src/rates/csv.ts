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

/**
 * A snapshot as a table with one row for each country, made from its stored body.
 *
 * Callers keep the CSV of a date as immutable, so these columns never change (contract C8). The reduced rates are
 * separated by blanks: a comma or a semicolon would split the cell in some spreadsheets.
 */
export function ratesTable(body: string): CsvTable {
  const { version, rates } = parseExactJson(body) as PrintedSnapshot;
  return {
    columns: [
      'country',
      'name',
      'currency',
      'standard',
      'reduced',
      'super_reduced',
      'parking',
      'version',
    ],
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

/** Rate changes as a table; the columns are the fields of the JSON, and never change (contract C8). */
export function changesTable(changes: readonly RateChange[]): CsvTable {
  return {
    columns: ['id', 'snapshotDate', 'country', 'field', 'old', 'new', 'detectedAt'],
    rows: changes.map((change) => [
      change.id,
      change.snapshotDate,
      change.country,
      change.field,
      change.old,
      change.new,
      change.detectedAt,
    ]),
  };
}
