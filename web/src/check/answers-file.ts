import {
  joinAnswers,
  type OwnFile,
  type OwnRow,
  printAnswersFile,
} from '../../../src/vat-check/stored/batches/answers-file.ts';
import { readRow } from '../../../src/vat-check/reading/read-row.ts';
import { headingsOf, rowsOf, type Table } from '../../../src/vat-check/reading/read-table.ts';
import { toCheckTable } from '../../../src/vat-check/stored/requests/check-table.ts';
import { csvFile, saveableCsv } from '../parts/save-file.ts';
import type { DownloadedFile } from '../session/api.ts';
import type { NewBatch, StoredCheck } from '../wire.ts';
import { readWritten, type Written } from './written.ts';

/** The tables that this page has sent, by their lists. They are nowhere else, and gone when the page is left. */
const sent = new Map<string, OwnFile>();

/** Keeps the columns of a table, so that they come back with its answers. */
export function keepColumns({ batchId, skipped, skippedCount }: NewBatch, written: Written): void {
  const { table } = written;
  // Without the line of each row that was skipped, the answers could stand beside other rows.
  if (table === undefined || skippedCount > skipped.length) return;
  const faults = new Map(skipped.map(({ line, reason }) => [line, reason]));
  const rowOf = table.isForService ? rowsForService(table, written) : rowsReadHere(written);
  sent.set(batchId, {
    headings: headingsOf(table) ?? Array.from({ length: table.width }, () => ''),
    separator: table.separator,
    encoding: written.encoding ?? 'utf-8',
    rows: rowsOf(table).map(({ line, cells }) => {
      const fault = faults.get(line);
      const row = fault === undefined ? rowOf(line, cells) : { sent: undefined, fault };
      // A row that is too long has one cell more.
      return { ...row, cells: cells.slice(0, table.width) };
    }),
  });
}

type RowOf = (line: number, cells: readonly string[]) => Pick<OwnRow, 'sent' | 'fault'>;

/** The rows of a file that the service reads. */
function rowsForService(table: Table, { encoding }: Written): RowOf {
  const read = { ...table, headings: headingsOf(table), encoding };
  return (_, cells) => {
    const row = readRow(cells, read);
    return row.kind === 'fields' ? { sent: row.fields } : { sent: undefined, fault: row.fault };
  };
}

/** The rows of a table whose numbers were read here. */
function rowsReadHere(written: Written): RowOf {
  const { byLine, unread } = readWritten(written);
  const faults = new Map(unread.map(({ line, fault }) => [line, fault]));
  return (line) => ({ sent: byLine.get(line), fault: faults.get(line) });
}

/** Whether the answers to a list have the columns of its table. */
export function hasKeptColumns(batchId: string): boolean {
  return sent.has(batchId);
}

/**
 * The answers to a list in its order, as a file for spreadsheets: with the columns of its table in front and in the form of its
 * file, if they are kept.
 */
export function printAnswers(batchId: string, checks: readonly StoredCheck[]): DownloadedFile {
  const own = sent.get(batchId);
  if (own === undefined) return csvFile('vatchecks.csv', toCheckTable(checks));
  return saveableCsv('vatchecks.csv', printAnswersFile(joinAnswers(checks, own), own).bytes);
}

/** What is to be said about the encoding of the answers; undefined if it is that of the file. */
export function describeEncoding(
  batchId: string,
  checks: readonly StoredCheck[],
): string | undefined {
  const own = sent.get(batchId);
  if (own === undefined || own.encoding === 'utf-8') return undefined;
  const { encoding } = printAnswersFile(joinAnswers(checks, own), own);
  return encoding === own.encoding
    ? undefined
    : `It is in ${encoding}, because ${own.encoding} does not have all letters of the answers.`;
}
