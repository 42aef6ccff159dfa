import type { CsvTable } from '../../../platform/csv/csv.ts';
import type { PrintedCheck } from '../print-check.ts';
import { checkColumns, toCheckTable } from '../requests/check-table.ts';
import { findColumn, toHeading } from '../csv-columns.ts';
import { readCsv } from './read-csv.ts';

/** The columns of a file that the service does not read, and the number of each of its rows. */
export type OwnColumns = {
  readonly headings: readonly string[];
  readonly rows: readonly OwnRow[];
};

/** A number as it was sent. Without a country its own letters decide. */
type SentNumber = { readonly countryCode?: string | undefined; readonly vatNumber: string };
type Answer = readonly (string | null)[];

export type OwnRow = {
  /** Undefined for a row that was skipped. */
  readonly sent: SentNumber | undefined;
  /** One cell for each heading. */
  readonly cells: readonly string[];
};

const ofAnswers: readonly string[] = checkColumns.map(toHeading);

/**
 * Reads the columns of a batch as CSV that the service does not read, and the number of each row. `skipped` has the lines of
 * rows that became no check.
 */
export function readOwnColumns(
  file: Uint8Array | string,
  skipped: readonly { readonly line: number }[],
): OwnColumns {
  const csv = readCsv(file);
  if (csv.kind !== 'table') return { headings: [], rows: [] };
  const { cells: headings } = csv.columns;
  const own = findOwnColumns(headings);
  const placeOf = (column: string): number =>
    headings.findIndex((heading) => findColumn(heading) === column);
  const [number, country] = [placeOf('vatNumber'), placeOf('countryCode')];
  const skippedLines = new Set(skipped.map(({ line }) => line));
  return {
    headings: own.map((at) => headings[at] ?? ''),
    rows: csv.rows.map(({ line, cells }) => {
      // Spreadsheets show the apostrophe.
      const [vatNumber, countryCode] = [number, country].map((at) => cells[at]?.replace(/^'/, ''));
      const sent = { vatNumber: vatNumber ?? '', countryCode: countryCode || undefined };
      return {
        sent: skippedLines.has(line) ? undefined : sent,
        cells: own.map((at) => cells[at] ?? ''),
      };
    }),
  };
}

/**
 * The places of the columns that the service does not read. A file of answers that is sent again has only columns of the
 * service, though it does not read all of them.
 */
function findOwnColumns(headings: readonly string[]): readonly number[] {
  const isAnswers = headings.some((heading) => toHeading(heading) === 'tradernamematch');
  return [...headings.keys()].filter((at) => {
    const heading = headings[at] ?? '';
    return findColumn(heading) === undefined && !(isAnswers && isOfAnswers(heading));
  });
}

/** Whether `/vatchecks.csv` has a column with this heading. */
export function isOfAnswers(heading: string): boolean {
  return ofAnswers.includes(toHeading(heading));
}

/**
 * The answers to a file in its order, with the file's own columns after those of the checks.
 *
 * Every row comes back; one without a check has its own cells only. Rows with the same number have the checks of this number
 * in turn, the last of them also for further rows.
 */
export function joinOwnColumns(
  checks: readonly PrintedCheck[],
  { headings, rows }: OwnColumns,
): CsvTable {
  const { columns, rows: answers } = toCheckTable(checks);
  const cells = [...answers];
  const left = new Map<string, number[]>();
  for (const [at, { vatNumber }] of checks.entries()) {
    left.set(vatNumber, [...(left.get(vatNumber) ?? []), at]);
  }
  const answerTo = ({ vatNumber, countryCode }: SentNumber): Answer | undefined => {
    const places = left.get(vatNumber) ?? [];
    const isSame = (at: number): boolean =>
      countryCode === undefined || checks[at]?.countryCode === countryCode;
    const same = places.filter(isSame);
    const [first] = same;
    if (same.length > 1) places.splice(places.findIndex(isSame), 1);
    return first === undefined ? undefined : cells[first];
  };
  const joined = rows.map(({ sent, cells: own }) => {
    const answer = sent === undefined ? undefined : answerTo(sent);
    return [...(answer ?? columns.map(() => null)), ...own.map((cell) => cell || null)];
  });
  const names = headings.map((heading, at) => {
    const name = heading === '' ? `Column ${at + 1}` : heading;
    return isOfAnswers(name) ? `${name} (your file)` : name;
  });
  return { columns: [...columns, ...names], rows: joined };
}
