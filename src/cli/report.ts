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

/** Prints rows as columns of equal width, under their titles; `empty` when there are none. */
export function formatTable(
  titles: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const cells = [titles, ...rows.map((row) => row.map((cell) => String(cell ?? '-')))];
  const widths = titles.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
