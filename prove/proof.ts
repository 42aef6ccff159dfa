import type { ProofName } from '../test/support/proof.ts';

/** Test files that one process of the test runner runs. */
export type Suites = {
  /** The names of projects in `vitest.config.ts` begin with this. */
  readonly project: 'sqlite' | 'postgresql' | 'containers';
  /** Paths below the root of the repository; a path that ends in `/` is a folder. */
  readonly files: readonly string[];
  /**
   * A program that starts the test runner with its own arguments, after it has prepared the machine. If it cannot, it says
   * so and ends with 0.
   */
  readonly through?: string;
};

/** The tests that show a promise. */
export type Proof = {
  /** The promise in a few words. */
  readonly title: string;
  /** The conditions and counts of a full run, and the result that it requires. */
  readonly goal: string;
  readonly suites: readonly Suites[];
  /** Arguments of Node for a program of a full run: it prints figures as suites do, and ends with 0 on success. */
  readonly program?: readonly string[];
  /**
   * When a full run starts the proof: `parallel` with one other proof; `alone`, because it measures times or uses all
   * cores; or in the `background` of all others, from the beginning.
   */
  readonly when: 'parallel' | 'alone' | 'background';
  /** Whether the proof takes minutes. Long proofs start first, so that no long proof runs alone at the end. */
  readonly isLong?: boolean;
  /** The things outside the repository without which no test of the promise can run. */
  readonly needs?: string;
  /** The parts of the goal that a run does not reach, and why; null if it reaches all. */
  readonly smaller: string | null;
};

/** A count or measurement, the promise that it shows, and the test file that printed it. */
export type Figure = {
  readonly promised: ProofName;
  readonly figure: string;
  readonly file?: string;
};

/** The outcome of a proof. */
export type ProofOutcome = {
  readonly name: ProofName;
  readonly figures: readonly Figure[];
  readonly passedCount: number;
  /** Failed tests with their errors, and other reasons why a run failed. */
  readonly failures: readonly string[];
  readonly skippedCount: number;
  readonly tookMs: number;
};

/**
 * The result for a promise. It is kept if tests have passed, none failed, and there is a figure. It could not be tried if
 * its tests need something that this machine does not have, and none of them ran.
 */
export type Verdict = 'kept' | 'NOT SHOWN' | 'could not run here';

export function judge(
  { figures, passedCount, failures }: ProofOutcome,
  { needs }: Pick<Proof, 'needs'>,
): Verdict {
  if (failures.length > 0) return 'NOT SHOWN';
  if (passedCount === 0 && needs !== undefined) return 'could not run here';
  return passedCount > 0 && figures.length > 0 ? 'kept' : 'NOT SHOWN';
}

/** Makes suites that run on SQLite or start their own servers. */
export function sqlite(...files: string[]): Suites {
  return { project: 'sqlite', files };
}

/** Makes suites that run on PostgreSQL. */
export function postgresql(...files: string[]): Suites {
  return { project: 'postgresql', files };
}
