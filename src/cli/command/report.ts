import type { Io } from './io.ts';
import { formatTable, type Table, widthOf } from './table.ts';

/** Addresses with a user, keywords of libpq, API keys and signing secrets, and texts in the form of a SECRET_KEY. */
const secretForms = /:\/\/.|@.|password=.|^(?:vfx|whsec)_|^[0-9a-f]{64}$|^[0-9a-z+/_-]{43}=?$/i;

/**
 * Replaces in a sentence every argument of the command line that may hold a secret (contract C33). Errors quote
 * arguments, and an operator may have typed the address of a database in the wrong place.
 */
export function hideArguments(sentence: string, args: readonly string[]): string {
  const candidates = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  return candidates
    .filter((arg) => secretForms.test(arg))
    .reduce((text, arg) => text.replaceAll(arg, '(not shown)'), sentence);
}

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
  /** Whether standard output has the bytes of the command: the report is then printed on standard error (rule O16). */
  readonly isBesideBytes?: boolean;
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
  const { document, text, note, failure, failureCode, isBesideBytes } = report;
  const shown = typeof text === 'string' ? text : formatTable(text, widthOf(io.stdout));
  const output = isBesideBytes === true ? io.stderr : io.stdout;
  output.write(`${isJson ? JSON.stringify(document, null, 2) : shown}\n`);
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
