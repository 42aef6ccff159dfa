import { type Column, type Columns, fieldOfColumn } from './columns.ts';
import { findBeyondAscii } from './decode-file.ts';
import { type Encoding, findBroken } from './encodings.ts';
import { type ReadCell, readNumberCell } from './read-cell.ts';

/** A table as its rows are read. */
export type ReadTable = {
  readonly columns: Columns;
  /** Undefined for a first row without headings. */
  readonly headings: readonly string[] | undefined;
  readonly width: number;
  /** The encoding of the file; null if nothing is known about it, undefined for a text that is no file. */
  readonly encoding?: Encoding | null | undefined;
  /** The country of numbers without letters; '' for none. */
  readonly chosen?: string;
};

/** A row as the object that JSON would have (rule K4); `cell` is its number. */
export type ReadRow =
  | {
      readonly kind: 'fields';
      readonly fields: Readonly<Record<string, unknown>> & {
        readonly countryCode: string;
        readonly vatNumber: string;
      };
      readonly cell: Exclude<ReadCell, { readonly kind: 'unread' }>;
    }
  | { readonly kind: 'unread'; readonly fault: string };

const wholeNumbers: readonly string[] = ['maxAgeSeconds', 'expiresInHours'];
/** Columns before whose cells spreadsheets show an apostrophe; a name may begin with one of its own. */
const withApostrophe: readonly string[] = [
  'countryCode',
  'vatNumber',
  'requesterCountryCode',
  'requesterVatNumber',
  'traderPostcode',
] satisfies readonly Column[];

/**
 * Reads a row of a table (rule K12): in the API, in the command and in the console. An empty cell is an absent value. The
 * malformed values of other fields than the number are for the reader of the fields.
 */
export function readRow(cells: readonly string[], table: ReadTable): ReadRow {
  const fault = findFault(cells, table);
  if (fault !== undefined) return { kind: 'unread', fault };
  const written: Partial<Record<Column, string>> = {};
  for (const [column, at] of Object.entries(table.columns) as [Column, number][]) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    written[column] = withApostrophe.includes(column) ? cell.replace(/^'/, '') : cell;
  }
  const { vatNumber = '', countryCode = '', ...others } = written;
  const cell = readNumberCell(vatNumber, { country: countryCode, chosen: table.chosen ?? '' });
  if (cell.kind === 'unread') return cell;
  const fields = { ...toFields(others), countryCode: cell.countryCode, vatNumber: cell.vatNumber };
  return { kind: 'fields', fields, cell };
}

/** What makes a row unreadable as a whole. */
function findFault(cells: readonly string[], table: ReadTable): string | undefined {
  const { headings, width, encoding } = table;
  if (cells.length > width) {
    return headings === undefined
      ? `it has more cells than the ${width} of the first line`
      : `it has more cells than the ${width} headings`;
  }
  const beyond = encoding === null ? findBeyondAscii(cells) : -1;
  if (beyond !== -1) {
    return `declare the charset: ${nameColumn(table, beyond)} has a byte beyond ASCII`;
  }
  const broken = findBroken(cells);
  if (broken === -1) return undefined;
  return encoding === undefined || encoding === null
    ? `${nameColumn(table, broken)} has a character that was lost before`
    : `${nameColumn(table, broken)} has a byte that ${encoding} does not have`;
}

/** A column as its file names it. */
function nameColumn({ headings }: ReadTable, at: number): string {
  const heading = headings?.[at] ?? '';
  return heading === '' ? `column ${at + 1}` : `column '${heading.slice(0, 100)}'`;
}

function toFields(written: Partial<Record<Column, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [column, cell] of Object.entries(written) as [Column, string][]) {
    const [object = '', member] = fieldOfColumn[column].split('.');
    const value = wholeNumbers.includes(column) && /^[0-9]+$/.test(cell) ? Number(cell) : cell;
    if (member === undefined) fields[object] = value;
    else (nested[object] ??= {})[member] = value;
  }
  return { ...fields, ...nested };
}

/** The name of a field in errors: its column as the file names it, else the column's own name. */
export function nameFieldOf({ columns, headings }: Pick<ReadTable, 'columns' | 'headings'>) {
  return (field = 'body'): string => {
    const wanted = field === 'requester' ? 'requester.vatNumber' : field;
    const found = (Object.keys(fieldOfColumn) as Column[]).find(
      (column) => fieldOfColumn[column] === wanted,
    );
    if (found === undefined) return field;
    const heading = headings?.[columns[found] ?? -1] ?? '';
    return heading === '' ? found : heading;
  };
}
