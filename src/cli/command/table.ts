import type { OutputStream } from './io.ts';

/** Rows for a person. */
export type Table = {
  /** Cells by the title of their column; all rows have the same columns. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
  /** Printed instead if there are no rows. */
  readonly empty: string;
};

/** Columns of a terminal; undefined for a pipe or a file. */
export function widthOf({ isTTY, columns }: OutputStream): number | undefined {
  return isTTY === true ? columns : undefined;
}

/** Blanks between two columns. */
const gap = '  ';
/** Minimum width of a column that is made narrower. */
const columnMin = 8;

/**
 * Prints rows as columns of equal width under their titles.
 *
 * If the columns do not fit into `width`, they are made narrower, the widest first, and their cells are wrapped: no
 * text is left out.
 */
export function formatTable({ rows, empty }: Table, width: number | undefined): string {
  const [first] = rows;
  if (first === undefined) return empty;
  const titles = Object.keys(first);
  const cells = [
    titles,
    ...rows.map((row) => titles.map((title) => plain(String(row[title] ?? '-')))),
  ];
  const longest = titles.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const widths = width === undefined ? longest : squeeze(longest, width);
  return cells.flatMap((row) => layOut(row, widths)).join('\n');
}

/**
 * Replaces control characters, line ends and signs that turn the direction of writing: text from outside must not move the
 * cursor, break a row or turn it around.
 */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** Narrows the widest column until all columns fit, or all have the minimum width. */
function squeeze(longest: readonly number[], width: number): number[] {
  const widths = [...longest];
  const gaps = gap.length * (widths.length - 1);
  for (;;) {
    const widest = Math.max(...widths);
    if (widths.reduce((sum, one) => sum + one, gaps) <= width || widest <= columnMin) return widths;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}

/** Lines of a row: one, unless a cell is longer than its column. */
function layOut(row: readonly string[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Breaks a text after blanks; a word that is longer than the column is cut. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const at = blank > 0 ? blank : width;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}
