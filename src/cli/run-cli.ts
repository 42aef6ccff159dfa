import { CommanderError } from 'commander';
import { ConfigError } from '../platform/config/config.ts';
import { SecretKeyMismatch } from '../platform/encryption/secret-box.ts';
import { createProgram } from './commands.ts';
import {
  hideArguments,
  type Io,
  CommandFailure,
  sentenceOf,
  printToStderr,
  UsageError,
} from './report.ts';

/** EX_CONFIG of sysexits.h: a supervisor that starts the process again with the same settings gets the same error. */
const wrongSettings = 78;

/**
 * Runs a command and returns its exit code: 0 done, 1 failed, 2 wrong usage (operator.md), 3 not proven (rule K16), 78 if
 * the settings cannot be used.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(args, io).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printToStderr(io, hideArguments(describe(error), args));
    if (error instanceof UsageError) return 2;
    if (isOfSettings(error)) return wrongSettings;
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

function describe(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (!(error instanceof ConfigError)) return `error: ${sentenceOf(error)}`;
  return `The configuration cannot be used:\n${error.problems.map((p) => `  - ${p}`).join('\n')}`;
}

/** Whether an error, or its cause, stays until an operator changes a setting. */
function isOfSettings(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ConfigError || at instanceof SecretKeyMismatch) return true;
  }
  return false;
}
