import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { noDefaults, readTerms } from '../stored/requests/check-request.ts';
import { describeTooLong, isTooLong } from '../stored/requests/request-fields.ts';
import { withCountry, parseVatNumber } from '../numbers/vat-number.ts';
import { choosableColumns, type Columns, columnsOfHeadings, findColumn } from './columns.ts';
import { guessColumns } from './guess-columns.ts';
import { isNumberHeading } from './labels.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { type ReadPart, withoutAddedZeros } from './read-line.ts';
import { collect, readNumbers, type ReadNumbers } from './read-numbers.ts';
import { nameFieldOf, readRow, type ReadTable } from './read-row.ts';

/** Lines of a spreadsheet with headings of its own, or without any. */
export type Table = {
  readonly rows: readonly CsvRow[];
  readonly width: number;
  /** The sign between its cells. */
  readonly separator: string;
  /** The columns that are read: guessed, chosen, or named by headings of the service. */
  readonly columns: Columns;
  /** Whether the service reads the file as it is, with columns that cannot be chosen here (rule K12). */
  readonly isForService: boolean;
  /** The headings of columns that the service does not read; empty for other tables. */
  readonly ignored: readonly string[];
};

/**
 * The table that a pasted text or a file is: with headings of the service, or with a column of numbers in rows that nearly all
 * have two cells or more. Undefined for a list and for an e-mail.
 *
 * @param chosen - The country of numbers without letters; '' for none.
 */
export function findTable(text: string, chosen: string): Table | undefined {
  let headings: readonly string[] = [];
  const csv = readCsv(text, { checkColumns: ({ cells }) => void (headings = cells) });
  const known = columnsOfHeadings(headings);
  const width = headings.length;
  const isOfService = known.vatNumber !== undefined;
  const isForService =
    isOfService &&
    (csv.kind !== 'table' ||
      Object.keys(known).some((one) => !Object.hasOwn(choosableColumns, one)));
  if (isForService) {
    const rows = csv.kind === 'table' ? [csv.columns, ...csv.rows] : [];
    const separator = csv.kind === 'table' ? csv.separator : ',';
    const ignored = headings.filter((heading) => findColumn(heading) === undefined);
    return { rows, width, separator, columns: known, isForService, ignored };
  }
  if (csv.kind !== 'table' || csv.rows.length === 0) return undefined;
  const { separator } = csv;
  const rows = [csv.columns, ...csv.rows];
  const wide = rows.filter(({ cells }) => cells.filter((cell) => cell !== '').length > 1);
  if (!isOfService && wide.length < 0.8 * rows.length) return undefined;
  const columns = guessColumns({ rows, width }, chosen);
  const table = { rows, width, separator, columns, isForService, ignored: [] };
  return isOfService || isTable(table, text, chosen) ? table : undefined;
}

/** Whether a guess is a table: it has such a heading or a column of countries, or its column has all numbers of the text. */
function isTable(table: Table, text: string, chosen: string): boolean {
  const { columns, rows } = table;
  const number = columns.vatNumber;
  if (number === undefined) return false;
  const heading = rows[0]?.cells[number] ?? '';
  if (!/\d/.test(heading) && isNumberHeading(heading)) return true;
  if (columns.countryCode !== undefined) return true;
  // Commas can group the digits of numbers, and stand in sentences: `DE 300,016,808`.
  return readTable(table, { chosen }).numbers.length >= readNumbers(text, chosen).numbers.length;
}

/** The headings of a table; undefined if the first row has none: its cell of the number has a digit. */
export function headingsOf({
  rows,
  columns,
}: Pick<Table, 'rows' | 'columns'>): readonly string[] | undefined {
  const [first] = rows;
  return /\d/.test(first?.cells[columns.vatNumber ?? -1] ?? '') ? undefined : first?.cells;
}

/** The rows of a table without its headings. */
export function rowsOf(table: Pick<Table, 'rows' | 'columns'>): readonly CsvRow[] {
  return headingsOf(table) === undefined ? table.rows : table.rows.slice(1);
}

type Circumstances = Pick<ReadTable, 'chosen' | 'encoding'>;

/** Reads the numbers of a table, each with the data of the customer and the reference of its row. */
export function readTable(table: Table, circumstances: Circumstances): ReadNumbers {
  const read: ReadTable = { ...table, headings: headingsOf(table), ...circumstances };
  return collect(
    rowsOf(table).map(({ line, cells }) => {
      const { part, fields } = judgeRow(cells, read);
      const { trader, reference } = fields as Pick<
        Parameters<typeof collect>[0][number],
        'trader' | 'reference'
      >;
      return {
        line,
        read: part,
        ...(trader === undefined ? undefined : { trader }),
        ...(reference === undefined ? undefined : { reference }),
      };
    }),
  );
}

/** Reads a row as the service would, whose reasons it has: a cut name, for example, would not be that of the customer. */
function judgeRow(
  cells: readonly string[],
  table: ReadTable,
): { readonly part: ReadPart; readonly fields: Readonly<Record<string, unknown>> } {
  const refuse = (fault: string) => ({
    part: { kind: 'unread', text: cells.join(' · '), fault } as const,
    fields: {},
  });
  const row = readRow(cells, table);
  if (row.kind === 'unread') return refuse(row.fault);
  const { cell, fields } = row;
  if (isTooLong(cell)) return refuse(describeTooLong(cell));
  try {
    readTerms(fields, noDefaults, nameFieldOf(table));
  } catch (error) {
    if (error instanceof ApiError) return refuse(error.message);
    throw error;
  }
  if (cell.kind === 'impossible') return refuse(cell.fault);
  const queried = parseVatNumber(cell.countryCode, cell.vatNumber);
  if (queried === undefined) throw new Error('a number that was read cannot be read again');
  const read = withCountry(queried);
  const vatNumber = withoutAddedZeros(read.vatNumber, cell.vatNumber);
  return { part: { kind: 'number', number: { ...read, vatNumber } }, fields };
}
