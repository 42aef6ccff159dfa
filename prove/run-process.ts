import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileOutcome } from './outcome-reporter.ts';
import type { Figure } from './proof.ts';

const vitest = 'node_modules/vitest/vitest.mjs';
const reporter = 'prove/outcome-reporter.ts';

/** A process that has ended, with the outcomes and figures that its tests reported. */
export type Ended = {
  readonly code: number | null;
  /** The file with the output of the process. */
  readonly log: string;
  readonly outcomes: readonly FileOutcome[];
  readonly figures: readonly Figure[];
};

type Run = {
  /** Folder for the files of the process, which are kept to be read after a failure. */
  readonly folder: string;
  /** The names of these files begin with it. */
  readonly name: string;
  readonly counts: 'full' | 'perCommit';
};

const reporters = ['--reporter=default', `--reporter=${reporter}`];

/** Runs the test runner with these arguments. */
export async function runTests(args: readonly string[], run: Run): Promise<Ended> {
  return runNode([vitest, 'run', ...reporters, ...args], run);
}

/** Runs a program that runs the test runner with these arguments. */
export async function runTestsThrough(
  program: string,
  args: readonly string[],
  run: Run,
): Promise<Ended> {
  return runProgram(program, [...reporters, ...args], run);
}

/** Runs a program of Node with these arguments. */
export async function runNode(args: readonly string[], run: Run): Promise<Ended> {
  return runProgram(process.execPath, args, run);
}

async function runProgram(
  program: string,
  args: readonly string[],
  { folder, name, counts }: Run,
): Promise<Ended> {
  const log = join(folder, `${name}.log`);
  const figures = join(folder, `${name}-figures.jsonl`);
  const outcomes = join(folder, `${name}-outcomes.jsonl`);
  const env = { ...process.env, PROVE_FIGURES: figures, PROVE_OUTCOMES: outcomes };
  const output = openSync(log, 'w');
  const child = spawn(program, args, {
    env: counts === 'full' ? { ...env, PROVE: 'full' } : env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, log, outcomes: readLines(outcomes), figures: readLines(figures) };
}

function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
