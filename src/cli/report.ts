import type { Io } from './io.ts';
import { formatTable, type Table, widthOf } from './table.ts';

/** The result of a command that reports. */
export type Report = {
  /** Printed with `--json`. */
  readonly document: unknown;
  /** Printed for a person. */
  readonly text: string | Table;
  /** Printed for a person on standard error, so that `$(…)` captures the text alone; not with `--json`. */
  readonly note?: string;
  /** Printed on standard error after the report. */
  readonly failure?: string | undefined;
  /** The exit code if there is a failure; 1 by default. */
  readonly failureCode?: number;
};

/** A command that failed, with a sentence for the operator and its exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command that was called with wrong arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints a report on standard output, as one JSON document or as text with its note. Throws its failure. */
export function printReport(io: Io, report: Report, isJson: boolean): void {
  const { document, text, note, failure, failureCode } = report;
  const shown = typeof text === 'string' ? text : formatTable(text, widthOf(io.stdout));
  io.stdout.write(`${isJson ? JSON.stringify(document, null, 2) : shown}\n`);
  if (note !== undefined && !isJson) printToStderr(io, note);
  if (failure !== undefined) throw new CommandFailure(failure, failureCode);
}

/** Prints a sentence for a person on standard error. */
export function printToStderr({ stderr }: Pick<Io, 'stderr'>, sentence: string): void {
  stderr.write(`${sentence}\n`);
}

/** Joins the messages of an error and of its causes. */
export function sentenceOf(error: unknown): string {
  const sentences: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.message !== '') sentences.push(at.message);
  }
  return sentences.length > 0 ? sentences.join(': ') : String(error);
}
