import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Proof, ProofName, Shown, Suites } from './proof.ts';

const vitest = 'node_modules/vitest/vitest.mjs';

/** What the test runner writes of itself; the part that is read here. */
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo';
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/** One process, with what it has to say for itself. */
type Ended = { readonly code: number | null; readonly log: string };

/**
 * Runs a proof at full counts.
 *
 * Everything that its processes print goes to files in `folder`, named after the proof: they are there to be
 * read when something fails.
 */
export async function runProof(name: ProofName, proof: Proof, folder: string): Promise<Shown> {
  const startedMs = performance.now();
  const figuresFile = join(folder, `${name}.jsonl`);
  const counted = { passedCount: 0, skippedCount: 0, failures: [] as string[] };
  for (const [at, suites] of proof.suites.entries()) {
    const report = join(folder, `${name}-${at}.json`);
    const args = [vitest, 'run', ...argumentsFor(suites, report)];
    const ended = await run(args, { figuresFile, log: join(folder, `${name}-${at}.log`) });
    count(report, ended, counted);
  }
  if (proof.program !== undefined) {
    const log = join(folder, `${name}.log`);
    const ended = await run(proof.program, { figuresFile, log });
    if (ended.code === 0) counted.passedCount += 1;
    else counted.failures.push(`${proof.program.join(' ')} ended with ${ended.code}: ${ended.log}`);
  }
  return {
    name,
    figures: readFigures(figuresFile),
    ...counted,
    tookMs: performance.now() - startedMs,
  };
}

function argumentsFor({ project, files }: Suites, report: string): string[] {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  // The engine in each tier of the tests: a promise may have suites in several.
  return ['--project', `${project}*`, ...reporters, ...files];
}

async function run(
  args: readonly string[],
  files: { readonly figuresFile: string; readonly log: string },
): Promise<Ended> {
  const output = openSync(files.log, 'w');
  const env = { ...process.env, PROVE: 'full', PROVE_FIGURES: files.figuresFile };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', output, output] });
  closeSync(output);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, log: files.log };
}

function count(
  report: string,
  ended: Ended,
  counted: { passedCount: number; skippedCount: number; readonly failures: string[] },
): void {
  const { testResults } = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { testResults: [] };
  const failedBefore = counted.failures.length;
  for (const { name, message, assertionResults } of testResults) {
    // A file that could not be loaded has no tests, but says why.
    if (message !== '') counted.failures.push(`${name}: ${message}`);
    for (const { fullName, status, failureMessages } of assertionResults) {
      if (status === 'passed') counted.passedCount += 1;
      else if (status !== 'failed') counted.skippedCount += 1;
      else counted.failures.push(`${fullName}: ${failureMessages[0] ?? ''}`);
    }
  }
  if (ended.code === 0 || counted.failures.length > failedBefore) return;
  counted.failures.push(`the test runner ended with ${ended.code}: ${ended.log}`);
}

function readFigures(file: string): Figure[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Figure);
}
