import { ApiError } from '../../platform/http/responses/api-errors.ts';
import {
  choosableColumns,
  type Columns,
  columnsOfHeadings,
  toHeading,
} from '../../vat-check/reading/columns.ts';
import { decodeFile } from '../../vat-check/reading/decode-file.ts';
import {
  decode,
  type Encoding,
  encodings,
  findEncoding,
} from '../../vat-check/reading/encodings.ts';
import { isJson, nameFileKind } from '../../vat-check/reading/file-kinds.ts';
import { guessColumns } from '../../vat-check/reading/guess-columns.ts';
import { type CsvRow, readCsv } from '../../vat-check/reading/read-csv.ts';
import { readRow, type ReadTable } from '../../vat-check/reading/read-row.ts';
import { headingsOf, rowsOf } from '../../vat-check/reading/read-table.ts';
import type { CheckDefaults } from '../../vat-check/stored/requests/check-request.ts';
import type { OwnFile } from '../../vat-check/stored/batches/answers-file.ts';
import { requireUnique, splitTable } from '../../vat-check/stored/batches/batch-csv.ts';
import {
  type BatchItem,
  readBatch,
  type SkippedRow,
} from '../../vat-check/stored/batches/batch.ts';
import { CommandFailure, UsageError } from '../command/report.ts';

/** The most checks of a file: one transaction writes them, in about a second. */
export const fileChecksMax = 10_000;
/** The most bytes of a file: far more than so many checks have. */
export const fileBytesMax = 64 * 1_048_576;

type File = {
  readonly file: string;
  readonly defaults: CheckDefaults;
  /** The heading of the column of numbers; undefined to guess it. */
  readonly column: string | undefined;
  /** The name of its encoding; undefined to find it out. */
  readonly charset: string | undefined;
};

/** The checks of a file. */
export type ReadFile = {
  readonly items: readonly BatchItem[];
  readonly skipped: readonly SkippedRow[];
  /** Sentences for the operator, one for each guess. */
  readonly guesses: readonly string[];
  readonly own: OwnFile;
};

/** Reads the checks of a CSV file as the console does (rule K12), and the rows that are skipped. Fails for a file without any. */
export async function readFileBatch(bytes: Uint8Array, from: File): Promise<ReadFile> {
  const { file, defaults } = from;
  const kind = nameFileKind(bytes) ?? (isJson(bytes) ? 'JSON' : undefined);
  if (kind !== undefined) throw new CommandFailure(`${file} is ${kind}, expected CSV`);
  const decoded = decodeOrGuess(bytes, from.charset);
  try {
    const csv = readCsv(decoded.text, { rowsMax: fileChecksMax, checkColumns: requireUnique });
    if (csv.kind === 'tooMany') {
      throw new CommandFailure(`${file} has more than ${fileChecksMax} checks; split it`);
    }
    if (csv.kind === 'malformed') {
      throw new CommandFailure(`${file}: line ${csv.line}: invalid CSV — ${csv.problem}`);
    }
    const { rows, table, guesses } = findColumns([csv.columns, ...csv.rows], from);
    const read = { ...table, encoding: decoded.encoding };
    const split = splitTable(read, { rows, first: csv.columns.line, checksMax: fileChecksMax });
    if (split.kind === 'tooMany') throw new Error('reading stops before');
    const batch = await readBatch(split, defaults);
    if (batch.kind !== 'batch') throw new Error('a check without a key has any requester');
    const { separator } = csv;
    return {
      ...batch,
      guesses: [...decoded.guesses, ...guesses],
      own: toOwnFile(read, { rows, separator, skipped: batch.skipped }),
    };
  } catch (error) {
    if (error instanceof ApiError) throw new CommandFailure(`${file}: ${error.message}`);
    throw error;
  }
}

type Decoded = {
  readonly text: string;
  readonly encoding: Encoding;
  readonly guesses: readonly string[];
};

/** A file of which nothing is known is read as Windows-1252, which is said with names that show whether that is right. */
function decodeOrGuess(bytes: Uint8Array, charset: string | undefined): Decoded {
  const declared = charset === undefined ? undefined : findEncoding(charset);
  if (charset !== undefined && declared === undefined) {
    throw new UsageError(`--charset is ${charset}, expected one of ${encodings.join(', ')}`);
  }
  const { text, encoding } = decodeFile(bytes, declared);
  if (encoding !== undefined) return { text, encoding, guesses: [] };
  const guessed = decode(bytes, 'windows-1252');
  const words = guessed.match(/[\p{L}\p{N}]*[^\0-\x7F][\p{L}\p{N}]*/gu) ?? [];
  const shown = [...new Set(words)].slice(0, 5).join(', ');
  return {
    text: guessed,
    encoding: 'windows-1252',
    guesses: [
      `the encoding is not known, and was read as windows-1252: ${shown}; --charset names another`,
    ],
  };
}

/** The columns of a file: those that its headings name, the one of `--column`, and guesses. */
function findColumns(all: readonly CsvRow[], { file, column }: File) {
  const width = all[0]?.cells.length ?? 0;
  const written = all[0]?.cells ?? [];
  const guessed = guessColumns({ rows: all, width }, '');
  const columns = column === undefined ? guessed : chooseColumn(written, guessed, column);
  if (columns.vatNumber === undefined) {
    throw new CommandFailure(
      `${file}: no column of VAT numbers is found; name it with --column, one of ${written.join(', ')}`,
    );
  }
  const of = { rows: all, columns };
  const headings = column === undefined ? headingsOf(of) : written;
  const table: ReadTable = { columns, headings, width };
  const known = columnsOfHeadings(written);
  const isGuess = Object.entries(columns).some(([name, at]) => Reflect.get(known, name) !== at);
  return {
    table,
    rows: column === undefined ? rowsOf(of) : all.slice(1),
    guesses: isGuess ? [describeColumns(table)] : [],
  };
}

function chooseColumn(headings: readonly string[], guessed: Columns, name: string): Columns {
  const at = headings.findIndex((heading) => toHeading(heading) === toHeading(name));
  if (at === -1) {
    throw new UsageError(`--column is ${name}, expected one of ${headings.join(', ')}`);
  }
  const others = Object.entries(guessed).filter(([, place]) => place !== at);
  return { ...Object.fromEntries(others), vatNumber: at };
}

/** `columns: VAT number is 'USt-IdNr.', country is 'Land'`. */
function describeColumns({ columns, headings = [] }: ReadTable): string {
  const read = Object.entries(columns).map(([name, at]) => {
    const words = (Reflect.get(choosableColumns, name) as string | undefined) ?? name;
    const heading = headings[at] || `column ${at + 1}`;
    return `${words} is '${heading}'`;
  });
  return `columns that are read: ${read.join(', ')}; --column names another column of numbers`;
}

function toOwnFile(
  table: ReadTable & { readonly encoding: Encoding },
  {
    rows,
    separator,
    skipped,
  }: {
    readonly rows: readonly CsvRow[];
    readonly separator: string;
    readonly skipped: readonly SkippedRow[];
  },
): OwnFile {
  const faults = new Map(skipped.map(({ line, reason }) => [line, reason]));
  const { headings, width, encoding } = table;
  return {
    headings: headings ?? Array.from({ length: width }, () => ''),
    separator,
    encoding,
    rows: rows.map(({ line, cells }) => {
      const row = readRow(cells, table);
      const fault = faults.get(line);
      const sent = row.kind === 'fields' && fault === undefined ? row.fields : undefined;
      return { sent, fault, cells: cells.slice(0, width) };
    }),
  };
}
