import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { parseVatNumber, withoutSeparators } from '../../vat-number.ts';
import {
  batchChecksMax,
  limitRows,
  onLine,
  type SkippedRow,
  type SplitBatch,
  type Written,
} from './batch.ts';
import { isOfAnswers } from './own-columns.ts';
import { fieldOfColumn, findColumn } from '../csv-columns.ts';
import type { NameOf, WrittenNumber } from '../requests/request-fields.ts';

const wholeNumbers: readonly string[] = ['maxAgeSeconds', 'expiresInHours'];

/** Cells before which spreadsheets show an apostrophe; a name may begin with one of its own. */
const withApostrophe: readonly string[] = [
  'countryCode',
  'vatNumber',
  'requester.countryCode',
  'requester.vatNumber',
  'trader.postcode',
];

/**
 * Splits a batch as CSV into rows (rule K12), or throws the 400 for a file in which no row can be read.
 *
 * The columns have any order. An empty cell is an absent value, and a row of empty cells is no check. Other columns are
 * ignored and named once; those of `/vatchecks.csv` are not named, so that its file can be sent again.
 */
export function splitCsvBatch(bytes: Uint8Array, checksMax = batchChecksMax): SplitBatch {
  const csv = readCsv(bytes, { rowsMax: checksMax, checkColumns: requireColumns });
  if (csv.kind === 'tooMany') return csv;
  if (csv.kind === 'malformed') throw refusal(csv.line, `invalid CSV — ${csv.problem}`);
  const { columns, rows } = csv;
  const fields = columns.cells.map(fieldOf);
  const placeOf = (index: number) => {
    const line = rows[index]?.line ?? columns.line;
    return { line, place: `line ${line}` };
  };
  const writtenAt = (index: number): Written => {
    const cells = rows[index]?.cells ?? [];
    if (cells.length > fields.length) {
      throw skip(`it has more cells than the ${fields.length} headings`);
    }
    return { fields: toFields(fields, cells), nameOf: columnOf, ...placeOf(index) };
  };
  return limitRows(
    { count: rows.length, writtenAt, placeOf, ignored: describeIgnored(columns) },
    'body',
    checksMax,
  );
}

/** The field that a column holds; undefined if the service does not read it. */
function fieldOf(heading: string): string | undefined {
  const column = findColumn(heading);
  return column === undefined ? undefined : fieldOfColumn[column];
}

function requireColumns({ line, cells }: CsvRow): void {
  const known = cells.map(findColumn).filter((column) => column !== undefined);
  const repeated = known.find((column, at) => known.indexOf(column) !== at);
  if (repeated !== undefined) throw refusal(line, `repeated column '${repeated}'`);
  if (!known.includes('vatNumber')) throw refusal(line, "missing column 'vatNumber'");
}

/** Names the columns that are not read; nothing if there are none. */
function describeIgnored({ line, cells }: CsvRow): readonly SkippedRow[] {
  const others = cells.filter(
    (heading) => findColumn(heading) === undefined && !isOfAnswers(heading),
  );
  if (others.length === 0) return [];
  const names = others.map((heading) => `'${heading.slice(0, 100)}'`).join(', ');
  return [{ line, reason: `unknown columns are ignored: ${names}` }];
}

/** A row as the object that JSON would have. */
function toFields(
  names: readonly (string | undefined)[],
  cells: readonly string[],
): Record<string, unknown> & WrittenNumber {
  const fields: Record<string, unknown> = {};
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [at, field] of names.entries()) {
    const written = cells[at] ?? '';
    if (field === undefined || written === '') continue;
    const cell = withApostrophe.includes(field) ? written.replace(/^'/, '') : written;
    const [object = '', member] = field.split('.');
    const value = wholeNumbers.includes(field) && /^[0-9]+$/.test(cell) ? Number(cell) : cell;
    if (member === undefined) fields[object] = value;
    else (nested[object] ??= {})[member] = value;
  }
  const { vatNumber } = fields;
  if (typeof vatNumber !== 'string') throw skip('it has no VAT number');
  const country = fields['countryCode'];
  const countryCode = typeof country === 'string' ? country : lettersOf(vatNumber);
  return { ...fields, countryCode, vatNumber, ...nested };
}

/** The country of a number whose row names none: its own letters decide. Throws if it has none. */
function lettersOf(vatNumber: string): string {
  const letters = withoutSeparators(vatNumber)?.slice(0, 2) ?? '';
  if (parseVatNumber(letters, vatNumber) !== undefined) return letters;
  if (letters === 'GB') throw skip('GB is not in VIES since 2021; Northern Ireland is XI');
  throw skip('it names no country, and its number does not begin with the letters of one');
}

/** The column that holds a field; that of its number for a requester as a whole. */
const columnOf: NameOf = (field = 'body') => {
  const wanted = field === 'requester' ? 'requester.vatNumber' : field;
  const found = Object.entries(fieldOfColumn).find(([, one]) => one === wanted);
  return found?.[0] ?? field;
};

function skip(reason: string): ApiError {
  return new ApiError('invalidField', {}, { text: reason });
}

function refusal(line: number, text: string): ApiError {
  return onLine(line, new ApiError('invalidField', {}, { text }));
}
