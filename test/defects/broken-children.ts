import childProcess, { type ForkOptions, type SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { brokenEnvironment } from '../support/broken-environment.ts';

/**
 * Setup file of the tests of a broken build: gives the processes that they start the same defect. Tests replace the
 * environment of their processes, so the defect is added to it.
 */
const { BROKEN_BUILD = '' } = process.env;

type Options = ForkOptions & SpawnOptions;
type Start = (command: string, ...rest: readonly (readonly string[] | Options)[]) => unknown;

/** Starts a process with the defect; the arguments before the options may be missing. */
function breaking(start: unknown): Start {
  return (command, ...rest) => {
    const last = rest.at(-1);
    const options = (Array.isArray(last) ? {} : (last ?? {})) as Options;
    const args = Array.isArray(rest[0]) ? [rest[0] as readonly string[]] : [];
    const env = { ...(options.env ?? process.env), ...brokenEnvironment(BROKEN_BUILD) };
    return (start as Start)(command, ...args, { ...options, env });
  };
}

if (BROKEN_BUILD !== '') {
  const { fork, spawn } = childProcess;
  Object.assign(childProcess, { fork: breaking(fork), spawn: breaking(spawn) });
  syncBuiltinESMExports();
}
