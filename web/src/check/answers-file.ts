import {
  findOwnColumns,
  joinOwnColumns,
  type OwnColumns,
} from '../../../src/vat-check/stored/batches/own-columns.ts';
import { findColumn } from '../../../src/vat-check/stored/csv-columns.ts';
import { toCheckTable } from '../../../src/vat-check/stored/requests/check-table.ts';
import { csvFile } from '../parts/save-file.ts';
import type { DownloadedFile } from '../session/api.ts';
import type { NewBatch, StoredCheck } from '../wire.ts';
import { hasHeading, readWritten, type Written } from './read-table.ts';

/** The tables that this page has sent, by their lists. They are nowhere else, and gone when the page is left. */
const sent = new Map<string, OwnColumns>();

/** Keeps the columns of a table, so that they come back with its answers. */
export function keepColumns({ batchId, skipped, skippedCount }: NewBatch, written: Written): void {
  const { table } = written;
  // Without the line of each row that was skipped, the answers could stand beside other rows.
  if (table === undefined || skippedCount > skipped.length) return;
  const { columns, rows, width, isForService } = table;
  const isHeaded = hasHeading(table, columns);
  const headings = Array.from({ length: width }, (_, at) =>
    isHeaded ? (rows[0]?.cells[at] ?? '') : '',
  );
  const own = isForService ? findOwnColumns(headings) : [...headings.keys()];
  const { byLine } = readWritten(written);
  const skippedLines = new Set(skipped.map(({ line }) => line));
  const sentByFile = (cells: readonly string[]) => {
    const cellOf = (column: string): string =>
      cells[headings.findIndex((heading) => findColumn(heading) === column)] ?? '';
    const vatNumber = cellOf('vatNumber').replace(/^'/, '');
    return { vatNumber, countryCode: cellOf('countryCode').replace(/^'/, '') || undefined };
  };
  if (own.length === 0) return;
  sent.set(batchId, {
    headings: own.map((at) => headings[at] ?? ''),
    rows: (isHeaded ? rows.slice(1) : rows).map(({ line, cells }) => ({
      sent: !isForService
        ? byLine.get(line)
        : skippedLines.has(line)
          ? undefined
          : sentByFile(cells),
      cells: own.map((at) => cells[at] ?? ''),
    })),
  });
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
