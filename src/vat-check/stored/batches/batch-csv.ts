import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { columnsOfHeadings, findColumn } from '../../reading/columns.ts';
import { decodeFile } from '../../reading/decode-file.ts';
import type { Encoding } from '../../reading/encodings.ts';
import { isJson, nameFileKind } from '../../reading/file-kinds.ts';
import { type CsvRow, readCsv } from '../../reading/read-csv.ts';
import { nameFieldOf, readRow, type ReadTable } from '../../reading/read-row.ts';
import {
  batchChecksMax,
  limitRows,
  onLine,
  type SkippedRow,
  type SplitBatch,
  type Written,
} from './batch.ts';
import { isOfAnswers } from './answers-file.ts';

/** Throws the 400 for a file of another kind than text, which is named as what it is (rule K12). */
export function requireText(bytes: Uint8Array): void {
  const kind = nameFileKind(bytes);
  if (kind === undefined) return;
  throw new ApiError('invalidField', {}, { text: `the file is ${kind} — expected CSV or JSON` });
}

/**
 * Splits a batch as CSV into rows (rule K12), or throws the 400 for a file in which no row can be read.
 *
 * The columns have any order; headings of the service name them. An empty cell is an absent value, and a row of empty cells is
 * no check. Other columns are ignored and named once; those of `/vatchecks.csv` are not named, so that its file can be sent again.
 *
 * @param charset - The declared encoding; undefined for none. Then a file of which nothing is known has only its rows in ASCII.
 */
export function splitCsvBatch(bytes: Uint8Array, charset: Encoding | undefined): SplitBatch {
  requireText(bytes);
  if (isJson(bytes)) {
    const text = 'the body is JSON — expected CSV, or Content-Type: application/json';
    throw new ApiError('invalidField', {}, { text });
  }
  const { text, encoding = null } = decodeFile(bytes, charset);
  const csv = readCsv(text, { rowsMax: batchChecksMax, checkColumns: requireColumns });
  if (csv.kind === 'tooMany') return csv;
  if (csv.kind === 'malformed') throw refuse(csv.line, `invalid CSV — ${csv.problem}`);
  const { cells: headings } = csv.columns;
  const table = {
    columns: columnsOfHeadings(headings),
    headings,
    width: headings.length,
    encoding,
  };
  return splitTable(table, { rows: csv.rows, first: csv.columns.line });
}

/** The rows of a table as a batch. `first` is the line on which the ignored columns are named. */
export function splitTable(
  table: ReadTable,
  { rows, first, checksMax }: { rows: readonly CsvRow[]; first: number; checksMax?: number },
): SplitBatch {
  const placeOf = (index: number) => {
    const line = rows[index]?.line ?? first;
    return { line, place: `line ${line}` };
  };
  const nameOf = nameFieldOf(table);
  const writtenAt = (index: number): Written => {
    const row = readRow(rows[index]?.cells ?? [], table);
    if (row.kind === 'unread') throw new ApiError('invalidField', {}, { text: row.fault });
    return { fields: row.fields, nameOf, ...placeOf(index) };
  };
  const ignored = describeIgnored(table, first);
  return limitRows({ count: rows.length, writtenAt, placeOf, ignored }, 'body', checksMax);
}

function requireColumns(row: CsvRow): void {
  requireUnique(row);
  const isThere = row.cells.some((heading) => findColumn(heading) === 'vatNumber');
  if (!isThere) throw refuse(row.line, "missing column 'vatNumber'");
}

/** Throws the 400 for two headings that name one column of the service. */
export function requireUnique({ line, cells }: CsvRow): void {
  const known = cells.map(findColumn).filter((column) => column !== undefined);
  const repeated = known.find((column, at) => known.indexOf(column) !== at);
  if (repeated !== undefined) throw refuse(line, `repeated column '${repeated}'`);
}

/** Names the columns that are not read; nothing if there are none. */
function describeIgnored(
  { headings = [], columns }: ReadTable,
  line: number,
): readonly SkippedRow[] {
  const read = new Set(Object.values(columns));
  const others = headings.filter((heading, at) => !read.has(at) && !isOfAnswers(heading));
  if (others.length === 0) return [];
  const names = others.map((heading) => `'${heading.slice(0, 100)}'`).join(', ');
  return [{ line, reason: `unknown columns are ignored: ${names}` }];
}

function refuse(line: number, text: string): ApiError {
  return onLine(line, new ApiError('invalidField', {}, { text }));
}
