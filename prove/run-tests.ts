import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import type { ProofName } from '../test/support/proof.ts';
import type { FileOutcome } from './outcome-reporter.ts';
import { fullSuites, turnSuites } from '../vitest.config.ts';
import { type Figure, type Outcome, type Promised, promises } from './promises.ts';

const vitest = 'node_modules/vitest/vitest.mjs';
const reporters = ['--reporter=default', '--reporter=prove/outcome-reporter.ts'];
const projects = ['sqlite', 'postgresql', 'console'] as const;
const engines = [...projects, 'containers'] as const;

/** The outcomes, figures and failures that the tests of one process reported. */
type Reported = {
  readonly outcomes: readonly FileOutcome[];
  readonly figures: readonly Figure[];
  /** Failed tests; the log if the process failed for another reason. */
  readonly failures: readonly string[];
};

/** Runs the tests of a promise at full counts; the output goes to files in `folder` that begin with its name. */
export async function runPromise(
  name: ProofName,
  { containers, program, ...promised }: Promised,
  folder: string,
): Promise<Outcome> {
  const startedMs = performance.now();
  const ends: Reported[] = [];
  const run = async (command: string, args: readonly string[]): Promise<void> => {
    ends.push(await runProgram([command, ...args], join(folder, `${name}-${ends.length}`), 'full'));
  };
  for (const engine of projects) {
    // An engine has a project in each tier of the tests; the console has one.
    const chosen = ['--project', `${engine}*`, ...(promised[engine] ?? [])];
    if (promised[engine] !== undefined) await runTests(run, chosen);
  }
  if (containers !== undefined) await run('.ci/containers', [...reporters, ...containers]);
  if (program !== undefined) await run(process.execPath, program);
  const passedPrograms = program !== undefined && ends.at(-1)?.failures.length === 0 ? 1 : 0;
  const reported = {
    outcomes: ends.flatMap(({ outcomes }) => outcomes),
    figures: ends.flatMap(({ figures }) => figures),
    failures: ends.flatMap(({ failures }) => failures),
  };
  const outcome = add(name, reported, performance.now() - startedMs);
  return { ...outcome, passedCount: outcome.passedCount + passedPrograms };
}

/**
 * Runs the tests of the projects `*-prove` once, at the small counts of a commit; `npm test` and `npm run test:engines` run the
 * remaining tests of the promises.
 */
export async function runQuickly(folder: string): Promise<ReturnType<typeof sortByPromise>> {
  const run = async (command: string, args: readonly string[]) =>
    runProgram([command, ...args], join(folder, 'quick'), 'quick');
  return sortByPromise(await runTests(run, ['--project', '*-prove']));
}

/** Lines about what a quick run, which tried some promises, leaves to other runs. */
export function describeOthers(tried: readonly string[]): readonly string[] {
  const all = Object.entries(promises);
  const others = all.filter(([name]) => !tried.includes(name));
  const later = others.filter(([, promised]) => isLeft(promised, [...fullSuites, ...turnSuites]));
  const elsewhere = others.filter((other) => !later.includes(other));
  const fullOnly = later.filter(([, promised]) => isLeft(promised, fullSuites));
  const turned = later.filter((other) => !fullOnly.includes(other));
  const onBoth = all.filter(
    ([name, { sqlite, postgresql }]) =>
      tried.includes(name) && sqlite?.some((file) => postgresql?.includes(file)),
  );
  return [
    `On one engine, SQLite or PostgreSQL by turns: ${namesOf(onBoth)}`,
    `Left to other revisions, by turns: ${namesOf(turned)} (${suitesIn(turnSuites)})`,
    `Only in a full run: ${namesOf(fullOnly)} (${suitesIn(fullSuites)})`,
    `Not tried here, but by npm test, npm run test:engines or .ci/containers: ${namesOf(elsewhere)}`,
  ];
}

/** Whether a promise has no suite but those of patterns. */
function isLeft(promised: Promised, patterns: readonly string[]): boolean {
  const isOther = (file: string): boolean => !isOf(patterns, file);
  return promised.containers === undefined && !suitesOf(promised).some(isOther);
}

function namesOf(some: readonly (readonly [name: string, promised: Promised])[]): string {
  return some.map(([name]) => name).join(', ') || 'none';
}

/** The suites of promises that are of patterns. */
function suitesIn(patterns: readonly string[]): string {
  const suites = Object.values(promises).flatMap(suitesOf);
  return [...new Set(suites.filter((file) => isOf(patterns, file)))].join(', ');
}

function suitesOf(promised: Promised): readonly string[] {
  return projects.flatMap((engine) => promised[engine] ?? []);
}

function isOf(patterns: readonly string[], file: string): boolean {
  return patterns.some((pattern) => matchesGlob(file, pattern));
}

async function runTests<T>(
  run: (command: string, args: readonly string[]) => Promise<T>,
  chosen: readonly string[],
): Promise<T> {
  return run(process.execPath, [vitest, 'run', ...reporters, ...chosen]);
}

/** Sorts the outcomes of test files by promise; failures that belong to none are returned apart. */
export function sortByPromise({ outcomes, figures, failures }: Reported): {
  readonly shown: readonly Outcome[];
  readonly otherFailures: readonly string[];
} {
  const shown = Object.entries(promises).flatMap(([name, promised]) => {
    const own = outcomes.filter((outcome) => belongsTo(promised, outcome));
    if (own.length === 0) return [];
    const reported = {
      outcomes: own,
      figures: figures.filter((figure) => own.some(({ file }) => file === figure.file)),
      failures: own.flatMap((outcome) => outcome.failures),
    };
    return [add(name as ProofName, reported, sum(own.map(({ tookMs }) => tookMs)))];
  });
  const ofPromises = new Set(shown.flatMap((one) => one.failures));
  return { shown, otherFailures: failures.filter((failure) => !ofPromises.has(failure)) };
}

function belongsTo(promised: Promised, { project, file }: FileOutcome): boolean {
  const paths = engines.flatMap((engine) =>
    project.startsWith(engine) ? (promised[engine] ?? []) : [],
  );
  return paths.some((path) => file.startsWith(path));
}

function add(name: ProofName, { outcomes, figures, failures }: Reported, tookMs: number): Outcome {
  const passedCount = sum(outcomes.map((outcome) => outcome.passedCount));
  const skippedCount = sum(outcomes.map((outcome) => outcome.skippedCount));
  return { name, figures, passedCount, skippedCount, failures, tookMs };
}

/** Runs a program; the paths of its files, which are kept to be read after a failure, begin with `path`. */
async function runProgram(
  [program = '', ...args]: readonly string[],
  path: string,
  counts: 'full' | 'quick',
): Promise<Reported> {
  const files = {
    PROVE_FIGURES: `${path}-figures.jsonl`,
    PROVE_OUTCOMES: `${path}-outcomes.jsonl`,
  };
  const output = openSync(`${path}.log`, 'w');
  const child = spawn(program, args, {
    env: { ...process.env, ...files, PROVE: counts },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const [code] = (await once(child, 'exit')) as [number | null];
  const outcomes = readLines<FileOutcome>(files.PROVE_OUTCOMES);
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  if (code !== 0 && failures.length === 0) {
    failures.push(`${[program, ...args].join(' ')} ended with ${code}: ${basename(path)}.log`);
  }
  return { outcomes, figures: readLines(files.PROVE_FIGURES), failures };
}

function readLines<T>(file: string): T[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as T);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
