import {
  joinOwnColumns,
  type OwnColumns,
  readOwnColumns,
} from '../../../src/vat-check/stored/batches/own-columns.ts';
import { toCheckTable } from '../../../src/vat-check/stored/requests/check-table.ts';
import { csvFile } from '../parts/save-file.ts';
import type { DownloadedFile } from '../session/api.ts';
import type { NewBatch, StoredCheck } from '../wire.ts';
import type { ReadNumbers } from './read-numbers.ts';
import { hasHeading, readWritten, type Written } from './read-table.ts';

/** The tables that this page has sent, by their lists. They are nowhere else, and gone when the page is left. */
const sent = new Map<string, OwnColumns>();

/** Keeps the columns of a table, so that they come back with its answers. */
export function keepColumns({ batchId, skipped, skippedCount }: NewBatch, written: Written): void {
  const { text, table } = written;
  // Without the line of each row that was skipped, the answers could stand beside other rows.
  if (table === undefined || skippedCount > skipped.length) return;
  const own = table.isForService
    ? readOwnColumns(text, skipped)
    : readColumns(table, readWritten(written));
  if (own.headings.length > 0) sent.set(batchId, own);
}

/** All columns of a table whose numbers were read here. */
function readColumns(table: NonNullable<Written['table']>, { byLine }: ReadNumbers): OwnColumns {
  const [heading, ...others] = table.rows;
  const isHeaded = heading !== undefined && hasHeading(table, table.columns);
  return {
    headings: isHeaded ? heading.cells : Array.from({ length: table.width }, () => ''),
    rows: (isHeaded ? others : table.rows).map(({ line, cells }) => ({
      sent: byLine.get(line),
      // A row that is too long has one cell more.
      cells: cells.slice(0, table.width),
    })),
  };
}

/** Whether the answers to a list have the columns of its table. */
export function hasKeptColumns(batchId: string): boolean {
  return sent.has(batchId);
}

/** The answers to a list in its order, as a file for spreadsheets, with the columns of its table if they are kept. */
export function printAnswers(batchId: string, checks: readonly StoredCheck[]): DownloadedFile {
  const own = sent.get(batchId);
  const table = own === undefined ? toCheckTable(checks) : joinOwnColumns(checks, own);
  return csvFile('vatchecks.csv', table);
}
