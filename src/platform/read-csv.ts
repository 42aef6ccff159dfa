import { decodeUtf8 } from './utf8.ts';

/** A row, and the line on which it begins, from 1. A cell with a line break goes on in the next line. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export type ReadCsv =
  | { readonly kind: 'table'; readonly columns: CsvRow; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly problem: string }
  /** More than `rowsMax` rows. */
  | { readonly kind: 'tooMany' };

type Limits = {
  /** Rows without the headings; any number by default. Reading stops at the next one. */
  readonly rowsMax?: number;
  /** Called with the headings before a row is read; it may throw. */
  readonly checkColumns?: (columns: CsvRow) => void;
};

/** The most headings. The cells of a row end with them, so a row of a million separators is not read either. */
const columnsMax = 200;

/** Characters in which the separator is looked for. */
const headingCharsMax = 65_536;

/**
 * Reads a table as CSV (RFC 4180) in UTF-8, with or without a byte order mark.
 *
 * The first row has the headings. Its first comma or semicolon outside of quotes is the sign that separates all cells. Lines end
 * with CRLF or LF. Lines without any character, and below the headings those with separators only, are skipped and do not
 * count as rows. Blanks are part of a cell, and a cell that begins like a formula is a text. Each row has as many cells as
 * the first one.
 */
export function readCsv(
  bytes: Uint8Array,
  { rowsMax = Infinity, checkColumns }: Limits = {},
): ReadCsv {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === 'invalid') {
    return { kind: 'malformed', line: decoded.line, problem: 'bytes that are not UTF-8' };
  }
  let columns: CsvRow | undefined;
  const rows: CsvRow[] = [];
  for (const row of readRows(decoded.text)) {
    if ('problem' in row) return { kind: 'malformed', ...row };
    if (columns === undefined) {
      columns = row;
      checkColumns?.(columns);
    } else if (rows.length === rowsMax) return { kind: 'tooMany' };
    else rows.push(row);
  }
  columns ??= { line: 1, cells: [] };
  if (columns.cells.length === 0) checkColumns?.(columns);
  return { kind: 'table', columns, rows };
}

type Problem = { readonly line: number; readonly problem: string };

/** The rows of a text in their order, the headings first; the first problem ends them. */
function* readRows(text: string): Generator<CsvRow | Problem> {
  const separator = separatorOf(text);
  const cellAndEnd = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`,
    'y',
  );
  let width: number | undefined;
  let line = 1;
  let at = 0;
  for (;;) {
    const begin = skipEmptyLines(text, at, width === undefined ? '' : separator);
    if (begin === text.length) return;
    line += countLineFeeds(text.slice(at, begin));
    at = begin;
    const row = { line, cells: [] as string[] };
    let end = separator;
    while (end === separator) {
      if (row.cells.length === (width ?? columnsMax)) {
        const problem = `the number of cells is more than ${width ?? columnsMax}`;
        return yield { line: row.line, problem };
      }
      cellAndEnd.lastIndex = at;
      const found = cellAndEnd.exec(text);
      if (found === null) return yield describeProblem(text, at, line, separator);
      const [whole, quoted, plain = ''] = found;
      row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      end = found[3] ?? '';
      line += countLineFeeds(whole);
      at += whole.length;
    }
    width ??= row.cells.length;
    if (row.cells.length < width) {
      const problem = `the number of cells is ${row.cells.length} instead of ${width}`;
      return yield { line: row.line, problem };
    }
    yield row;
  }
}

/** The beginning of the next line with a character that is no separator; the end of the text if there is none. */
function skipEmptyLines(text: string, from: number, separator: string): number {
  const other = new RegExp(`[^${separator}\\r\\n]`, 'g');
  other.lastIndex = from;
  const next = other.exec(text)?.index;
  if (next === undefined) return text.length;
  return Math.max(from, text.lastIndexOf('\n', next) + 1);
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function separatorOf(text: string): string {
  const [heading = ''] = text.trimStart().slice(0, headingCharsMax).split('\n', 1);
  return /[,;]/.exec(heading.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ',';
}

/** The problem of the cell at a place, which begins on this line. */
function describeProblem(text: string, at: number, line: number, separator: string): Problem {
  if (text[at] === '"') {
    const [quoted] = /^"[^"]*(?:""[^"]*)*"(?!")/.exec(text.slice(at)) ?? [];
    if (quoted === undefined) return { line, problem: 'a quoted cell without an end' };
    const problem = 'a text behind a quoted cell';
    return { line: line + countLineFeeds(quoted), problem };
  }
  const plain = new RegExp(`[^"${separator}\\r\\n]*`, 'y');
  plain.lastIndex = at;
  plain.exec(text);
  const isQuote = text[plain.lastIndex] === '"';
  return {
    line,
    problem: isQuote
      ? 'a quote inside of a cell without quotes'
      : 'a carriage return without a line feed',
  };
}
