import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { type CsvRow, readCsv } from '../../platform/read-csv.ts';
import { batchChecksMax, limitRows, onLine, type SplitBatch, type Written } from './batch.ts';
import type { NameOf } from './request-fields.ts';

/** The columns of rule K12, each with the field of rule K4 that it holds. */
const fieldOfColumn = {
  countryCode: 'countryCode',
  vatNumber: 'vatNumber',
  requesterCountryCode: 'requester.countryCode',
  requesterVatNumber: 'requester.vatNumber',
  traderName: 'trader.name',
  traderStreet: 'trader.street',
  traderPostcode: 'trader.postcode',
  traderCity: 'trader.city',
  traderCompanyType: 'trader.companyType',
  maxAgeSeconds: 'maxAgeSeconds',
  expiresInHours: 'expiresInHours',
  reference: 'reference',
} as const;

const wholeNumbers: readonly string[] = ['maxAgeSeconds', 'expiresInHours'];

/**
 * Splits a batch as CSV into rows (rule K12), or throws the 400, which names the line and the column.
 *
 * The columns have any order. An empty cell is an absent value, and a row of empty cells is no check.
 */
export function splitCsvBatch(bytes: Uint8Array, checksMax = batchChecksMax): SplitBatch {
  const csv = readCsv(bytes, { rowsMax: checksMax, checkColumns });
  if (csv.kind === 'tooMany') return csv;
  if (csv.kind === 'malformed') throw refusal(csv.line, `invalid CSV — ${csv.problem}`);
  const { columns } = csv;
  const rows = csv.rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const lineOf = (index: number): number => rows[index]?.line ?? columns.line;
  const writtenAt = (index: number): Written => {
    const fields = toFields(columns.cells, rows[index]?.cells ?? []);
    const line = lineOf(index);
    return { fields, nameOf: columnOf, place: `line ${line}`, line };
  };
  const errorOf = (error: ApiError, index: number): ApiError => onLine(lineOf(index), error);
  return limitRows({ count: rows.length, writtenAt, errorOf }, 'body', checksMax);
}

function checkColumns({ line, cells }: CsvRow): void {
  for (const [at, name] of cells.entries()) {
    const shown = name.slice(0, 100);
    if (!Object.hasOwn(fieldOfColumn, name)) throw refusal(line, `unknown column '${shown}'`);
    if (cells.indexOf(name) !== at) throw refusal(line, `repeated column '${shown}'`);
  }
  const missing = ['countryCode', 'vatNumber'].find((name) => !cells.includes(name));
  if (missing !== undefined) throw refusal(line, `missing column '${missing}'`);
}

/** A row as the object that JSON would have. */
function toFields(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    const field = fieldOfColumn[column as keyof typeof fieldOfColumn];
    const [object = '', member] = field.split('.');
    const value = wholeNumbers.includes(field) && /^[0-9]+$/.test(cell) ? Number(cell) : cell;
    if (member === undefined) fields[object] = value;
    else (nested[object] ??= {})[member] = value;
  }
  return { ...fields, ...nested };
}

/** The column that holds a field; that of its number for a requester as a whole. */
const columnOf: NameOf = (field = 'body') => {
  const wanted = field === 'requester' ? 'requester.vatNumber' : field;
  const found = Object.entries(fieldOfColumn).find(([, one]) => one === wanted);
  return found?.[0] ?? field;
};

function refusal(line: number, text: string): ApiError {
  return onLine(line, new ApiError('invalidField', {}, { text }));
}
