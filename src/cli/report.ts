import { stderr, stdout } from 'node:process';

/** A command that failed, with a sentence for the operator: exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** A command that was called wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints what a command reports: one JSON document for machines, or `text` for people. */
export function report(json: boolean | undefined, document: unknown, text: string): void {
  stdout.write(json === true ? `${JSON.stringify(document, null, 2)}\n` : `${text}\n`);
}

/** Tells a person something beside the report. */
export function tell(sentence: string): void {
  stderr.write(`${sentence}\n`);
}

/** The sentence of a fault and of what caused it. */
export function sentenceOf(error: unknown): string {
  const sentences: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.message !== '') sentences.push(at.message);
  }
  return sentences.length > 0 ? sentences.join(': ') : String(error);
}

/** Between two columns. */
const gap = '  ';
/** A column that is squeezed keeps at least so much. */
const columnMin = 8;

/**
 * Prints rows as columns of equal width, under their titles; `empty` when there are none.
 *
 * On a terminal, columns that would not fit beside each other are squeezed, the widest first, and their cells
 * go on below: nothing is left out. `width` is that of the terminal; undefined elsewhere.
 */
export function formatTable(
  titles: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  empty: string,
  width: number | undefined = stdout.isTTY ? stdout.columns : undefined,
): string {
  if (rows.length === 0) return empty;
  const cells = [titles, ...rows.map((row) => row.map((cell) => plain(String(cell ?? '-'))))];
  const longest = titles.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const widths = width === undefined ? longest : squeeze(longest, width);
  return cells.flatMap((row) => layOut(row, widths)).join('\n');
}

/** What others wrote must not move the cursor, or break a row. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** Takes from the widest columns until all fit, if they can. */
function squeeze(longest: readonly number[], width: number): number[] {
  const widths = [...longest];
  const gaps = gap.length * (widths.length - 1);
  for (;;) {
    const widest = Math.max(...widths);
    if (widths.reduce((sum, one) => sum + one, gaps) <= width || widest <= columnMin) return widths;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}

/** The lines of a row: one, unless a cell is longer than its column. */
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

/** Breaks a text after blanks where there are some, else anywhere. */
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
