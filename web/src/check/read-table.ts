import { type CsvRow, readCsv } from '../../../src/vat-check/stored/batches/read-csv.ts';
import {
  collect,
  isCountry,
  isCsv,
  isNumber,
  readCell,
  readNumbers,
  type ReadNumbers,
} from './read-numbers.ts';

/** Rows of a spreadsheet with headings of its own, or without any. */
export type Table = { readonly rows: readonly CsvRow[]; readonly width: number };

/** The columns of a table that are read, from 0; -1 for none. */
export type Columns = {
  readonly number: number;
  readonly country: number;
  readonly name: number;
  readonly reference: number;
};

/** The columns that a heading of its own names, for accountants in the larger languages of the Union. */
const headings: { readonly [Role in keyof Columns]: RegExp } = {
  number: /\b(?:vat|ust|uid|mwst|tva|iva|btw|nip|dic|dph|moms|tax)/i,
  country: /^(?:country|land|pays|paese|pa[ií]s|kraj|ms)\b/i,
  name: /name|kunde|customer|client|firma|company|cliente|klant|nom\b/i,
  reference: /^ref|\b(?:id|no|nr|number|nummer)\b|n(?:r|ummer)\.?$/i,
};

/**
 * The table that a pasted text or a file is: at least two rows, nearly all with two cells or more. Undefined for a list, an
 * e-mail, and for CSV whose headings the service reads.
 */
export function findTable(text: string): Table | undefined {
  if (isCsv(text)) return undefined;
  const csv = readCsv(text);
  if (csv.kind !== 'table' || csv.rows.length === 0) return undefined;
  const rows = [csv.columns, ...csv.rows];
  const wide = rows.filter(({ cells }) => cells.filter((cell) => cell !== '').length > 1);
  if (wide.length < 0.8 * rows.length) return undefined;
  // Commas can group the digits of numbers: `DE 300,016,808`.
  if (!/[;\t|]/.test(text) && readNumbers(text, '').unread.length === 0) return undefined;
  return { rows, width: csv.columns.cells.length };
}

/** Guesses what the columns hold, by their cells and their headings. */
export function guessColumns({ rows, width }: Table, chosen: string): Columns {
  const [heading, ...others] = rows;
  const indexes = Array.from({ length: width }, (_, at) => at);
  const share = (at: number, holds: (cell: string, row: CsvRow) => boolean): number =>
    rows.filter((row) => holds(row.cells[at] ?? '', row)).length / rows.length;
  const named = (role: keyof Columns) => (at: number) =>
    headings[role].test(heading?.cells[at] ?? '');
  const country = indexes.find((at) => share(at, isCountry) >= 0.5 && others.length > 0) ?? -1;
  const isNumberAt = (cell: string, row: CsvRow) => isNumber(cell, countryOf(row, country, chosen));
  const shares = indexes.map((at) => share(at, isNumberAt) + (named('number')(at) ? 0.01 : 0));
  const best = Math.max(...shares);
  const number = best === 0 ? -1 : shares.indexOf(best);
  const free = indexes.filter((at) => at !== number && at !== country);
  const reference = free.find(named('reference')) ?? -1;
  const name = free.find((at) => at !== reference && named('name')(at)) ?? -1;
  return { number, country, name, reference };
}

/** Whether the first row has headings: its cell of the number has no digit. */
export function hasHeading({ rows }: Table, { number }: Columns): boolean {
  return !/\d/.test(rows[0]?.cells[number] ?? '');
}

/** Reads the numbers of a table, each with the name and the reference of its row. */
export function readTable(table: Table, columns: Columns, chosen: string): ReadNumbers {
  const rows = hasHeading(table, columns) ? table.rows.slice(1) : table.rows;
  const cellAt = ({ cells }: CsvRow, at: number): string => (at === -1 ? '' : (cells[at] ?? ''));
  return collect(
    rows.map((row) => {
      const [name, reference] = [cellAt(row, columns.name), cellAt(row, columns.reference)];
      const written = cellAt(row, columns.number);
      return {
        line: row.line,
        text: row.cells.join(' · '),
        read:
          written === ''
            ? { kind: 'unread', fault: 'its column of VAT numbers is empty' }
            : readCell(written, countryOf(row, columns.country, chosen)),
        ...(name === '' ? undefined : { name }),
        ...(reference === '' ? undefined : { reference }),
      };
    }),
  );
}

function countryOf({ cells }: CsvRow, at: number, chosen: string): string {
  const cell = at === -1 ? '' : (cells[at] ?? '');
  return isCountry(cell) ? cell : chosen;
}
