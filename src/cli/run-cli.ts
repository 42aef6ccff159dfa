import { CommanderError } from 'commander';
import { MissingAsset } from '../platform/assets.ts';
import { ConfigError } from '../platform/config/config.ts';
import { NoDatabaseError } from '../platform/database/no-database.ts';
import { isUnknownCommit } from '../platform/database/unknown-commit.ts';
import { SecretKeyMismatch } from '../platform/encryption/secret-box.ts';
import { errorCodeOf } from '../platform/log/errors.ts';
import { vatfx } from '../platform/vatfx.ts';
import { createProgram } from './commands.ts';
import type { Io } from './command/io.ts';
import {
  hideArguments,
  CommandFailure,
  sentenceOf,
  printToStderr,
  UsageError,
} from './command/report.ts';

/** EX_CONFIG of sysexits.h: a supervisor that starts the process again with the same settings gets the same error. */
const wrongSettings = 78;

/** EX_SOFTWARE of sysexits.h: the program itself is not whole. */
const notWhole = 70;

/** The exit code of a command of which it is not known whether it has made a change (rule C38). */
const unknownChange = 4;

/**
 * Runs a command and returns its exit code: 0 done, 1 failed, 2 wrong usage (operator.md), 3 not proven (rule K16), 4 not known
 * whether a change was made (rule C38), 70 if a file of the program is missing, 78 if the settings cannot be used.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    const program = await createProgram(args, io);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printToStderr(io, hideArguments(describe(error), args));
    if (error instanceof UsageError || isCausedBy(error, NoDatabaseError)) return 2;
    // These stay until an operator changes a setting.
    if (isCausedBy(error, ConfigError, SecretKeyMismatch)) return wrongSettings;
    if (error instanceof MissingAsset || isMissingCode(error)) return notWhole;
    if (isUnknownCommit(error)) return unknownChange;
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

const notKnown =
  `it is not known whether the change was made. When PostgreSQL answers again, look for it ("${vatfx('audit')}" lists changes) before ` +
  'you call the command again';

function describe(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (isUnknownCommit(error)) return `error: ${notKnown}: ${sentenceOf(error)}`;
  if (isMissingCode(error))
    return `error: code of vatfx is missing; install vatfx again: ${error.message}`;
  if (!(error instanceof ConfigError)) return `error: ${sentenceOf(error)}`;
  return `The configuration cannot be used:\n${error.problems.map((p) => `  - ${p}`).join('\n')}`;
}

/** Whether code is missing that is loaded when a command needs it. */
function isMissingCode(error: unknown): error is Error {
  return errorCodeOf(error) === 'ERR_MODULE_NOT_FOUND';
}

/** Whether an error, or one of its causes, is of one of these classes. */
function isCausedBy(error: unknown, ...classes: readonly (new (...given: never[]) => Error)[]) {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (classes.some((one) => at instanceof one)) return true;
  }
  return false;
}
