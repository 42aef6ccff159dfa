import { CommanderError } from 'commander';
import { stderr, stdout } from 'node:process';
import { ConfigError } from '../platform/config/config.ts';
import { createProgram } from './commands.ts';
import { hideArguments } from './hidden-arguments.ts';
import { CommandFailure, sentenceOf, tell, UsageError } from './report.ts';

/**
 * Runs the command line and returns its exit code: 0 done, 1 failed, 2 wrong usage (operator.md).
 *
 * Commands are loaded when they are called, so that none pays for the others' start.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  for (const stream of [stdout, stderr]) stream.on('error', overlookClosedReader);
  try {
    await createProgram(args).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error, args);
  }
}

/** Whoever reads may have had enough, as `head` has: what is to be done is done all the same. */
function overlookClosedReader(error: Error): void {
  if (!('code' in error && error.code === 'EPIPE')) throw error;
}

function explain(error: unknown, args: readonly string[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    tell(hideArguments(`error: ${error.message}`, args));
    return 2;
  }
  if (error instanceof ConfigError) {
    tell(`The configuration cannot be used:\n${error.problems.map((p) => `  - ${p}`).join('\n')}`);
    return 1;
  }
  const sentence = error instanceof CommandFailure ? error.message : `error: ${sentenceOf(error)}`;
  tell(hideArguments(sentence, args));
  return 1;
}
