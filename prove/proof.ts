import type { Promised } from '../test/support/proof.ts';

/** Suites that one process of the test runner runs; `project` is their engine, how the projects of `vitest.config.ts` begin. */
export type Suites = {
  readonly project: 'sqlite' | 'postgresql' | 'general';
  readonly files: readonly string[];
};

/** A promise, or `defects`: that tests can fail. */
export type ProofName = Promised | 'defects';

/** How a promise is shown to hold. */
export type Proof = {
  /** What is promised, in a few words. */
  readonly title: string;
  /** What a full run does, and what has to come of it. */
  readonly goal: string;
  readonly suites: readonly Suites[];
  /** A program beside the suites: its arguments for Node. It tells figures as suites do, and ends with 0. */
  readonly program?: readonly string[];
  /**
   * `together` with another one, `alone` because times are measured or all cores are used, or `beside` all
   * others from the beginning.
   */
  readonly when: 'together' | 'alone' | 'beside';
  /** Takes minutes; those begin first, so that none is left in the end. */
  readonly isLong?: boolean;
  /** What is smaller than the goal, or is not possible, and why; null where nothing is. */
  readonly smaller: string | null;
};

/** What was counted or measured, and for which promise. */
export type Figure = { readonly promised: Promised; readonly figure: string };

/** What came of it. */
export type Shown = {
  readonly name: ProofName;
  readonly figures: readonly Figure[];
  readonly passedCount: number;
  /** Names of tests that failed, and why a run fell over. */
  readonly failures: readonly string[];
  readonly skippedCount: number;
  readonly tookMs: number;
};

/** A promise is kept where something was tested, nothing failed, and there is a figure. */
export function isKept({ figures, passedCount, failures }: Shown): boolean {
  return failures.length === 0 && passedCount > 0 && figures.length > 0;
}
