import type { CsvTable } from '../platform/csv/csv.ts';
import type { FxRange, RangeColumns } from './range.ts';
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

/** A range as a table with one row for each date and one column for each currency, in the order of the request. */
export function rangeTable({ dates, cells }: RangeColumns, { currencies }: FxRange): CsvTable {
  const columns = cells.map((column) => column.split(','));
  return {
    columns: ['date', ...currencies],
    rows: dates.map((date, at) => [
      date.slice(1, -1),
      ...columns.map((column) => {
        const value = column[at] ?? 'null';
        return value === 'null' ? null : value;
      }),
    ]),
  };
}
