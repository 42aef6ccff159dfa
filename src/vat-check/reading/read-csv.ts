/** A row, and the line on which it begins, from 1. A cell with a line break goes on in the next line. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export type ReadCsv =
  | {
      readonly kind: 'table';
      readonly columns: CsvRow;
      readonly rows: readonly CsvRow[];
      readonly separator: string;
    }
  | { readonly kind: 'malformed'; readonly line: number; readonly problem: string }
  /** More than `rowsMax` rows. */
  | { readonly kind: 'tooMany' };

type Limits = {
  /** Rows without the headings; any number by default. Reading stops at the next one. */
  readonly rowsMax?: number;
  /** Called with the headings before a row is read; it may throw. */
  readonly checkColumns?: (columns: CsvRow) => void;
};

/** The most headings; further ones are not read. */
const columnsMax = 200;

/** Characters in which the separator is looked for. */
const headingCharsMax = 65_536;

/**
 * Reads a table as programs write it (rule K12).
 *
 * Cells are separated by commas, semicolons, tabs or
 * pipes: by the sign of which the first row has most outside of quotes, or by that of a first line `sep=;`. Lines end with
 * LF, CRLF or CR. Lines without content are skipped and do not count as rows; so is a Ctrl-Z at the end.
 *
 * Cells are trimmed, line breaks and tabs inside of them become a blank, and `="…"` is taken off. The first row has the
 * headings. A shorter row has empty cells at its end; a longer one has one cell more than the headings, whatever its length.
 */
export function readCsv(
  written: string,
  { rowsMax = Infinity, checkColumns }: Limits = {},
): ReadCsv {
  const text = withoutEnd(written.replace(/^\uFEFF/, ''));
  const told = /^[ \t]*sep=([,;\t|])[ \t]*(?:\r\n?|\n|$)/i.exec(text);
  const separator = told?.[1] ?? separatorOf(text);
  let columns: CsvRow | undefined;
  const rows: CsvRow[] = [];
  for (const row of readRows(text, separator, told?.[0].length ?? 0)) {
    if ('problem' in row) return { kind: 'malformed', ...row };
    if (columns === undefined) {
      columns = row;
      checkColumns?.(columns);
    } else if (rows.length === rowsMax) return { kind: 'tooMany' };
    else rows.push(row);
  }
  columns ??= { line: 1, cells: [] };
  if (columns.cells.length === 0) checkColumns?.(columns);
  return { kind: 'table', columns, rows, separator };
}

type Problem = { readonly line: number; readonly problem: string };

/** The rows of a text in their order, the headings first; a quote that never closes ends them. */
function* readRows(text: string, separator: string, from: number): Generator<CsvRow | Problem> {
  const cellAndEnd = new RegExp(
    ` *(?:"([^"]*(?:""[^"]*)*)"(?!"))?([^${separator}\\r\\n]*)([${separator}]|\\r\\n?|\\n|$)`,
    'y',
  );
  let width: number | undefined;
  let at = from;
  let line = 1 + countLines(text.slice(0, at));
  for (;;) {
    const next = skipBlankLines(text, at, separator);
    if (next === text.length) return;
    line += countLines(text.slice(at, next));
    at = next;
    const cells: string[] = [];
    const begin = line;
    let end = separator;
    while (end === separator) {
      cellAndEnd.lastIndex = at;
      const [whole = '', quoted, plain = '', sign = ''] = cellAndEnd.exec(text) ?? [];
      if (quoted === undefined && plain.startsWith('"')) {
        return yield { line, problem: 'a quoted cell without an end' };
      }
      // A cell that is one too many shows that the row is too long; the others are not needed.
      if (cells.length <= (width ?? columnsMax - 1)) cells.push(toCell(quoted, plain));
      line += countLines(whole);
      at += whole.length;
      end = sign;
    }
    width ??= cells.length;
    while (cells.length < width) cells.push('');
    yield { line: begin, cells };
  }
}

/** The beginning of the next line that has more than separators and blanks; the end of the text if there is none. */
function skipBlankLines(text: string, from: number, separator: string): number {
  const content = new RegExp(`[^${separator} \\r\\n]`, 'g');
  content.lastIndex = from;
  let at = content.exec(text)?.index ?? text.length;
  if (at === text.length) return at;
  while (at > from && !/[\r\n]/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** The text without the line ends and the Ctrl-Z with which some programs end a file. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\u001A'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function toCell(quoted: string | undefined, plain: string): string {
  const written = (quoted?.replaceAll('""', '"') ?? '') + plain;
  const blank = written.replaceAll(/[\r\n\t]+/g, ' ').trim();
  // A spreadsheet keeps the zeros of such a cell.
  return /^="([^"]*)"$/.exec(blank)?.[1]?.trim() ?? blank;
}

function countLines(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

/** The sign that separates cells; a comma if the first row has one cell. */
function separatorOf(text: string): string {
  const [heading = ''] = text
    .trimStart()
    .slice(0, headingCharsMax)
    .split(/[\r\n]/, 1);
  const signs = heading.replaceAll(/"[^"]*"/g, '').match(/[,;\t|]/g) ?? [];
  const counts = new Map<string, number>();
  for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? ',';
}
