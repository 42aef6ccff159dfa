import { type CsvRow, readCsv } from '../../../src/vat-check/stored/batches/read-csv.ts';
import { findColumn } from '../../../src/vat-check/stored/csv-columns.ts';
import { referenceMax } from '../../../src/vat-check/stored/requests/request-fields.ts';
import { isPrintable, traderTextMax } from '../../../src/vat-check/trader.ts';
import { readCountryName } from './country-names.ts';
import {
  collect,
  isNumber,
  notInVies,
  readCell,
  type ReadLine,
  readNumbers,
  type ReadNumbers,
} from './read-numbers.ts';

/** Lines of a spreadsheet with headings of its own, or without any. */
export type Table = {
  readonly rows: readonly CsvRow[];
  readonly width: number;
  /** Whether the service reads the file as it is, with columns that cannot be chosen here (rule K12). */
  readonly isForService: boolean;
  /** The headings of columns that the service does not read; empty for other tables. */
  readonly ignored: readonly string[];
};

/** The columns of a table that are read, from 0; -1 for none. */
export type Columns = {
  readonly number: number;
  readonly country: number;
  readonly name: number;
  readonly reference: number;
};

/** A text of a visitor, and how it is to be read. */
export type Written = {
  readonly text: string;
  /** The country of numbers without letters; '' for none. */
  readonly country: string;
  /** The text as a table, with columns that were guessed or chosen; undefined if it is none. */
  readonly table?: (Table & { readonly columns: Columns }) | undefined;
};

/** The numbers of a text, as far as they can be read. */
export function readWritten({ text, country, table }: Written): ReadNumbers {
  return table === undefined
    ? readNumbers(text, country)
    : readTable(table, table.columns, country);
}

/** The columns of rule K12 that can be chosen for any table. */
const columnOfRole = {
  number: 'vatNumber',
  country: 'countryCode',
  name: 'traderName',
  reference: 'reference',
} as const satisfies Record<keyof Columns, string>;

/** The headings of these columns in other spreadsheets, for accountants in the larger languages of the Union. */
const namesOfRole: { readonly [Role in keyof Columns]: RegExp } = {
  number: /\b(?:vat|ust|uid|mwst|tva|iva|btw|nip|dic|dph|moms|tax)/i,
  country: /^(?:country|land|pays|paese|pa[ií]s|kraj|ms)\b/i,
  name: /name|kunde|customer|client|firma|company|cliente|klant|nom\b/i,
  reference: /^ref|\b(?:id|no|nr|number|nummer)\b|n(?:r|ummer)\.?$/i,
};

/**
 * The table that a pasted text or a file is: headings of the service, or at least two rows, nearly all with two cells or
 * more. Undefined for a list and for an e-mail.
 */
export function findTable(text: string): Table | undefined {
  let headings: readonly string[] = [];
  const csv = readCsv(text, { checkColumns: ({ cells }) => void (headings = cells) });
  const known = headings.flatMap((heading) => findColumn(heading) ?? []);
  const choosable: readonly string[] = Object.values(columnOfRole);
  if (
    known.includes('vatNumber') &&
    (csv.kind !== 'table' || known.some((one) => !choosable.includes(one)))
  ) {
    const rows = csv.kind === 'table' ? [csv.columns, ...csv.rows] : [];
    const ignored = headings.filter((heading) => findColumn(heading) === undefined);
    return { rows, width: headings.length, isForService: true, ignored };
  }
  if (csv.kind !== 'table') return undefined;
  const rows = [csv.columns, ...csv.rows];
  const width = headings.length;
  if (csv.rows.length === 0) return undefined;
  const wide = rows.filter(({ cells }) => cells.filter((cell) => cell !== '').length > 1);
  if (wide.length < 0.8 * rows.length) return undefined;
  // Commas can group the digits of numbers: `DE 300,016,808`.
  if (!/[;\t|]/.test(text) && readNumbers(text, '').unread.length === 0) return undefined;
  return { rows, width, isForService: false, ignored: [] };
}

/** Guesses what the columns hold, by their cells and their headings. */
export function guessColumns({ rows, width }: Table, chosen: string): Columns {
  const [heading] = rows;
  const indexes = Array.from({ length: width }, (_, at) => at);
  const nameOf = (at: number): string => heading?.cells[at] ?? '';
  const known = (role: keyof Columns): number =>
    indexes.findIndex((at) => findColumn(nameOf(at)) === columnOfRole[role]);
  const named = (role: keyof Columns) => (at: number) => namesOfRole[role].test(nameOf(at));
  const filled = (at: number): readonly CsvRow[] =>
    rows.slice(0, guessedRows).filter((row) => cellAt(row, at) !== '');
  const isCountries = (at: number): boolean => {
    const cells = filled(at).map((row) => cellAt(row, at));
    // Codes of other countries, too: their numbers are not those of the chosen one.
    const likely = cells.filter(
      (cell) => readCountryName(cell) !== undefined || /^[A-Z]{2}$/.test(cell),
    );
    return cells.some(readCountryName) && likely.length >= 0.5 * cells.length;
  };
  const country = known('country') === -1 ? indexes.findIndex(isCountries) : known('country');
  const likeness = (at: number): number => {
    const fitting = filled(at).flatMap(
      (row) => fitOf(row.cells[at] ?? '', cellAt(row, country), chosen) ?? [],
    );
    const fit = fitting.reduce((sum, one) => sum + one, 0) / Math.max(1, fitting.length);
    return fit > 0 && named('number')(at) ? fit + 1 : fit;
  };
  const likenesses = indexes.map((at) => (at === country ? 0 : likeness(at)));
  const best = Math.max(...likenesses);
  const likely = best < leastLikeness ? -1 : likenesses.indexOf(best);
  const number = known('number') === -1 ? likely : known('number');
  const free = indexes.filter((at) => at !== number && at !== country);
  const reference = known('reference') === -1 ? free.find(named('reference')) : known('reference');
  const name =
    known('name') === -1 ? free.find((at) => at !== reference && named('name')(at)) : known('name');
  return { number, country, name: name ?? -1, reference: reference ?? -1 };
}

/** A column is taken for that of the numbers if half of its cells fit without letters, or a quarter with them. */
const leastLikeness = 0.25;

/** Rows that the guess looks at. */
const guessedRows = 200;

/**
 * How well a cell fits: letters of a country are a better sign than digits, which can be a telephone number. Undefined for a
 * number of a country that has no form here.
 */
function fitOf(cell: string, countryText: string, chosen: string): number | undefined {
  if (isNumber(cell, '')) return 1;
  const country = countryText === '' ? chosen : readCountryName(countryText);
  if (country === undefined) return /\d/.test(cell) ? undefined : 0;
  return isNumber(cell, country) ? 0.5 : 0;
}

/** Whether the first row has headings: its cell of the number has no digit. */
export function hasHeading({ rows }: Table, { number }: Columns): boolean {
  return !/\d/.test(rows[0]?.cells[number] ?? '');
}

/** Reads the numbers of a table, each with the name and the reference of its row. */
export function readTable(table: Table, columns: Columns, chosen: string): ReadNumbers {
  const rows = hasHeading(table, columns) ? table.rows.slice(1) : table.rows;
  return collect(
    rows.map((row) => {
      const [name, reference] = [cellAt(row, columns.name), cellAt(row, columns.reference)];
      return {
        line: row.line,
        text: row.cells.join(' · '),
        read:
          findRefused({ name, reference }) ??
          readRow(cellAt(row, columns.number), cellAt(row, columns.country), chosen),
        ...(name === '' ? undefined : { name }),
        ...(reference === '' ? undefined : { reference }),
      };
    }),
  );
}

/** The most characters of the name and the reference of a check (rule K4). */
const most = { name: traderTextMax, reference: referenceMax } as const;

/**
 * The fault of a row whose name or reference the service would refuse; undefined if it takes both. A cut name would not be that
 * of the customer, so the row is named as it is in a file for the service.
 */
function findRefused(cells: Readonly<Record<keyof typeof most, string>>): ReadLine | undefined {
  const role = (['name', 'reference'] as const).find((one) => !isPrintable(cells[one], most[one]));
  if (role === undefined) return undefined;
  return {
    kind: 'unread',
    fault: `its ${role} has more than ${most[role]} characters, or some that cannot be printed`,
  };
}

/** Reads the number of a row. The country of the row counts, and the chosen one only if the row names none. */
function readRow(written: string, countryText: string, chosen: string): ReadLine {
  if (written === '') return { kind: 'unread', fault: 'it has no VAT number' };
  if (countryText === '') return readCell(written, chosen);
  const country = readCountryName(countryText);
  if (country === undefined) {
    return isNumber(written, '')
      ? readCell(written, '')
      : { kind: 'unread', fault: notInVies(countryText) };
  }
  return readCell(written, country);
}

function cellAt({ cells }: CsvRow, at: number): string {
  return at === -1 ? '' : (cells[at] ?? '');
}
