import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';
import { isFull, someOf } from './turns.ts';

// oxlint-disable-next-line node/no-process-env -- set by `npm run prove`
const { PROVE_SEED, PROVE_FIGURES } = process.env;

/** One of the promises of reliability (`prove/promises.json`). */
export type Promised = `R${number}`;

/** A promise; `samples`: what newcomers copy from the documents; `defects` and `mutants`: tests fail on wrong code. */
export type ProofName = Promised | 'samples' | 'defects' | 'mutants';

export { isFull, someOf };

/** Chooses the count of a test: the full one, or the smaller one of a commit. */
export function countOf(counts: { readonly full: number; readonly perCommit: number }): number {
  return isFull ? counts.full : counts.perCommit;
}

/**
 * Chooses the seed of a random test: the given one for a commit, a new one in each full run, so that full runs find
 * more. Figures name the seed, and `PROVE_SEED` sets it.
 */
export function seedOf(perCommit: number): number {
  if (PROVE_SEED !== undefined) return Number(PROVE_SEED);
  return isFull ? Date.now() % 1_000_000 : perCommit;
}

/** Prints a count or measurement that shows a promise; `npm run prove` writes it to its page. */
export function reportFigure(promised: ProofName, figure: string): void {
  console.log(`${promised}: ${figure}`);
  if (PROVE_FIGURES === undefined) return;
  appendFileSync(PROVE_FIGURES, `${JSON.stringify({ promised, figure, file: testFile() })}\n`);
}

/** The test file below the root of the repository; undefined in a program, which has none. */
function testFile(): string | undefined {
  try {
    return relative(process.cwd(), expect.getState().testPath ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Asserts in full runs that a duration on the wall is within its promised bound; such a run has the machine for itself.
 *
 * Before a commit other suites may stop the process for seconds, and the bound would judge the machine. Callers assert
 * the result of the wait as well, and a wait that never ends fails by the timeout of its test.
 */
export function expectWithin(tookMs: number, boundMs: number): void {
  if (isFull) expect(tookMs).toBeLessThan(boundMs);
}
