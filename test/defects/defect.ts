import type { Promised } from '../support/proof.ts';
import type { Change } from '../support/broken-build.ts';

/** A plausible mistake in the product, and the test that must find it. */
export type Defect = {
  readonly name: string;
  readonly promised: Promised;
  /** The mistake, as the end of a sentence that begins with "a build that". */
  readonly wrong: string;
  readonly changes: readonly Change[];
  readonly caughtBy: {
    readonly file: string;
    /** The whole name of one test, without those of its suites. */
    readonly test: string;
    /** With PostgreSQL it runs there, else on SQLite. */
    readonly needs?: 'postgresql' | 'redis';
    /** Message of the test's error, if that is no failed assertion. */
    readonly says?: RegExp;
  };
};

/** The result of a test on a build. */
export type Verdict = {
  readonly name: string;
  /** Reason why the test did not run; null if it ran. */
  readonly unread: string | null;
  readonly passed: number;
  readonly failures: readonly {
    /** Name of the error; of its cause for a property that does not hold. */
    readonly error: string;
    readonly message: string;
  }[];
};
