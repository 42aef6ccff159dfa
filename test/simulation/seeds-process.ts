import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brokenEnvironment } from '../support/broken-environment.ts';
import type { Simulated } from './simulate.ts';

const script = fileURLToPath(new URL('./run.ts', import.meta.url));

export type Seeds = {
  readonly from: number;
  readonly to: number;
  readonly by?: number;
  readonly days: number;
  /** No seed starts later than this. */
  readonly minutes?: number;
};

/** Simulates seeds in a process of its own, up to the first violation; `breakName` names a broken build. */
export async function liveSeeds(seeds: Seeds, breakName?: string): Promise<readonly Simulated[]> {
  const { from, to, by = 1, days, minutes = 60 } = seeds;
  const options = Object.entries({ to, by, days, minutes }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const env = { PATH: process.env['PATH'], ...brokenEnvironment(breakName) };
  const { error, stdout, stderr } = await new Promise<{
    error: Error | null;
    stdout: string;
    stderr: string;
  }>((resolve) => {
    const args = [script, String(from), ...options];
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
  const lived = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Simulated);
  // It also ends with 1 after a violation, which it has then printed.
  if (error !== null && lived.at(-1)?.violation == null) throw new Error(stderr, { cause: error });
  return lived;
}

/** Sums up seeds: `20 seeds × 60 days, …`. */
export function printFigures(lived: readonly Simulated[], days: number): string {
  const sum = (pick: (one: Simulated) => number): string =>
    lived.reduce((total, one) => total + pick(one), 0).toLocaleString('en');
  return (
    `${lived.length.toLocaleString('en')} seeds × ${days} days, ` +
    `${sum(({ figures }) => figures.steps)} steps, ` +
    `${sum(({ figures }) => figures.publications)} publications, ` +
    `${sum(({ figures }) => figures.rows)} rows, ${sum(({ figures }) => figures.holds)} holds, ` +
    `${sum(({ figures }) => figures.runs)} runs, ${sum(({ figures }) => figures.restarts)} restarts, ` +
    `${sum(({ figures }) => figures.finals)} immutable URLs, ` +
    `${sum(({ violation }) => (violation === null ? 0 : 1))} violations`
  );
}

/** The violations, each with the command that repeats it. */
export function printViolations(lived: readonly Simulated[]): string[] {
  return lived.flatMap(({ seed, figures, violation }) =>
    violation === null
      ? []
      : [`${violation}\n  node test/simulation/run.ts ${seed} --days ${figures.days}`],
  );
}
