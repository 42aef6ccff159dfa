import type { CsvTable } from '../platform/csv/csv.ts';
import { parseSnapshot } from './snapshot.ts';

/** Callers keep the CSV of a date as immutable, so these columns never change (contract C8). */
export const fxColumns = ['date', 'currency', 'rate'] as const;

/** A publication as a table with one row for each currency, made from its stored body. */
export function fxTable(body: string): CsvTable {
  const { date, rates } = parseSnapshot(body);
  return {
    columns: fxColumns,
    rows: [...rates].map(([currency, rate]) => [date, currency, rate]),
  };
}
