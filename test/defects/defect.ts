import type { Promised } from '../support/proof.ts';
import type { Change } from '../support/broken-build.ts';

/** One way to get the product wrong that somebody in a hurry would take, and the test that has to notice. */
export type Defect = {
  readonly name: string;
  readonly promised: Promised;
  /** What is wrong with such a build: it follows "a build that". */
  readonly wrong: string;
  readonly changes: readonly Change[];
  readonly caughtBy: {
    readonly file: string;
    /** The whole name of one test, without those of its suites. */
    readonly test: string;
    /** With PostgreSQL it runs there, else on SQLite. */
    readonly needs?: 'postgresql' | 'redis';
    /** What the test fails with where that is no assertion. */
    readonly says?: RegExp;
  };
};

/** What a suite said of a build. */
export type Verdict = {
  readonly name: string;
  /** Why its tests did not run; null when they did. */
  readonly unread: string | null;
  readonly passed: number;
  readonly failures: readonly {
    /** The error's name; for a law that does not hold, that of what showed it. */
    readonly error: string;
    readonly message: string;
  }[];
};
