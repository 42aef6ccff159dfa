import { readFileSync } from 'node:fs';
import type { ProofName } from '../test/support/proof.ts';

/** The tests that show a promise; its title, goal and last results are in its section of `docs/proof.md`. */
export type Promised = {
  /** Test files on SQLite, and those without a database. */
  readonly sqlite?: readonly string[];
  /** Test files that run on PostgreSQL (as well). */
  readonly postgresql?: readonly string[];
  /** Test files of the console, which need Chromium. */
  readonly console?: readonly string[];
  /** Test files that `.ci/containers` runs with a container engine; it ends with 0 without a test if there is none. */
  readonly containers?: readonly string[];
  /** Arguments of Node for a program of a full run: it prints figures as suites do, and ends with 0 on success. */
  readonly program?: readonly string[];
  /**
   * When a full run starts it: `long` first, so that it does not run alone at the end; `alone`, because it measures times or uses
   * all cores.
   */
  readonly when?: 'long' | 'alone';
  /** The things outside the repository without which no test of the promise can run. */
  readonly needs?: string;
};

/** The promises of reliability and security. */
export const promises = JSON.parse(
  readFileSync(new URL('./promises.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Promised>>;

/** A count or measurement, the promise that it shows, and the test file that printed it. */
export type Figure = {
  readonly promised: ProofName;
  readonly figure: string;
  readonly file?: string;
};

/** The outcome of the tests of a promise. */
export type Outcome = {
  readonly name: ProofName;
  readonly figures: readonly Figure[];
  readonly passedCount: number;
  readonly skippedCount: number;
  /** Failed tests with their errors, and other reasons why a run failed. */
  readonly failures: readonly string[];
  readonly tookMs: number;
};

/**
 * The result for a promise. It is kept if tests have passed, none failed, and there is a figure. It could not be tried if
 * its tests need something that this machine does not have, and none of them ran.
 */
export function judge(
  { name, figures, passedCount, failures }: Outcome,
  { needs }: Pick<Promised, 'needs'> = promises[name] ?? {},
): 'kept' | 'NOT SHOWN' | 'could not run here' {
  if (failures.length > 0) return 'NOT SHOWN';
  if (passedCount === 0 && needs !== undefined) return 'could not run here';
  return passedCount > 0 && figures.length > 0 ? 'kept' : 'NOT SHOWN';
}
