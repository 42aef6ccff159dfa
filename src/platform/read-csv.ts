import { decodeUtf8 } from './utf8.ts';

/** A row, and the line on which it begins, from 1. A cell with a line break goes on in the next line. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export type ReadCsv =
  | { readonly kind: 'table'; readonly columns: CsvRow; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly problem: string };

/**
 * Reads a table as CSV (RFC 4180) in UTF-8, with or without a byte order mark.
 *
 * The first row has the headings. Its first comma or semicolon outside of quotes is the sign that separates all cells. Lines end
 * with CRLF or LF. Lines without any character are skipped. Blanks are part of a cell, and a cell that begins like a
 * formula is a text. Each row has as many cells as the first one.
 */
export function readCsv(bytes: Uint8Array): ReadCsv {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === 'invalid') {
    return { kind: 'malformed', line: decoded.line, problem: 'bytes that are not UTF-8' };
  }
  const rows: CsvRow[] = [];
  for (const row of readRows(decoded.text)) {
    if ('problem' in row) return { kind: 'malformed', ...row };
    const width = rows[0]?.cells.length ?? row.cells.length;
    if (row.cells.length !== width) {
      const problem = `the number of cells is ${row.cells.length} instead of ${width}`;
      return { kind: 'malformed', line: row.line, problem };
    }
    rows.push(row);
  }
  const [columns = { line: 1, cells: [] }, ...others] = rows;
  return { kind: 'table', columns, rows: others };
}

type Problem = { readonly line: number; readonly problem: string };

/** The rows of a text in their order; the first problem ends them. */
function* readRows(text: string): Generator<CsvRow | Problem> {
  const separator = separatorOf(text);
  const cellAndEnd = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`,
    'y',
  );
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row = { line, cells: [] as string[] };
    let end = separator;
    const begin = at;
    while (end === separator) {
      cellAndEnd.lastIndex = at;
      const found = cellAndEnd.exec(text);
      if (found === null) return yield describeProblem(text, at, line, separator);
      const [whole, quoted, plain = ''] = found;
      row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      end = found[3] ?? '';
      at += whole.length;
      line += whole.split('\n').length - 1;
    }
    const isEmpty = at - begin === end.length;
    if (!isEmpty) yield row;
  }
}

function separatorOf(text: string): string {
  const [heading = ''] = text.trimStart().split('\n', 1);
  return /[,;]/.exec(heading.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ',';
}

/** The problem of the cell at a place, which begins on this line. */
function describeProblem(text: string, at: number, line: number, separator: string): Problem {
  if (text[at] === '"') {
    const [quoted] = /^"[^"]*(?:""[^"]*)*"(?!")/.exec(text.slice(at)) ?? [];
    if (quoted === undefined) return { line, problem: 'a quoted cell without an end' };
    return { line: line + quoted.split('\n').length - 1, problem: 'a text behind a quoted cell' };
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
