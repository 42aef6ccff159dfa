import childProcess, { type ForkOptions, type SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Set up for the tests of a broken build: the processes that they start have its defect as well. They are given
 * an environment of their own, so it is put there.
 */
const { BROKEN_BUILD = '' } = process.env;
const preload = new URL('./break-build.ts', import.meta.url).href;

type Options = ForkOptions & SpawnOptions;
type Start = (command: string, ...rest: readonly (readonly string[] | Options)[]) => unknown;

/** The same, whose child is broken; arguments may be left out before the options. */
function breaking(start: unknown): Start {
  return (command, ...rest) => {
    const last = rest.at(-1);
    const options = (Array.isArray(last) ? {} : (last ?? {})) as Options;
    const args = Array.isArray(rest[0]) ? [rest[0] as readonly string[]] : [];
    const env = {
      ...(options.env ?? process.env),
      BROKEN_BUILD,
      NODE_OPTIONS: `--import=${preload}`,
    };
    return (start as Start)(command, ...args, { ...options, env });
  };
}

if (BROKEN_BUILD !== '') {
  const { fork, spawn } = childProcess;
  Object.assign(childProcess, { fork: breaking(fork), spawn: breaking(spawn) });
  syncBuiltinESMExports();
}
