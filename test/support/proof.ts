import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

// oxlint-disable-next-line node/no-process-env -- how much is tested, and where its figures go
const { PROVE, PROVE_SEED, PROVE_FIGURES } = process.env;

/** One of the promises of the project's list of reliability, R1 to R28. */
export type Promised = `R${number}`;

/** Whether the full counts are run, as by `npm run prove`; a commit waits for smaller ones. */
export const isFull = PROVE === 'full';

/** How much is tested: the full count, or the one that a commit can wait for. */
export function countOf(counts: { readonly full: number; readonly perCommit: number }): number {
  return isFull ? counts.full : counts.perCommit;
}

/**
 * What random tests begin with: for a commit always the same, in a full run another one each time, so that it
 * finds more. It is part of the figure; `PROVE_SEED` runs one again.
 */
export function seedOf(perCommit: number): number {
  if (PROVE_SEED !== undefined) return Number(PROVE_SEED);
  return isFull ? Date.now() % 1_000_000 : perCommit;
}

/** Prints what was counted or measured for a promise; `npm run prove` puts it on its page. */
export function tellFigure(promised: Promised, figure: string): void {
  console.log(`${promised}: ${figure}`);
  if (PROVE_FIGURES === undefined) return;
  appendFileSync(PROVE_FIGURES, `${JSON.stringify({ promised, figure })}\n`);
}

/**
 * Holds a duration on the wall to its promised bound in full runs, which have the machine for themselves.
 *
 * For a commit it asserts nothing: other suites may stop this process for seconds, so the bound would judge the machine. What the
 * duration ends with is asserted beside it, and a wait that never ends fails by the timeout of its test.
 */
export function expectWithin(tookMs: number, boundMs: number): void {
  if (isFull) expect(tookMs).toBeLessThan(boundMs);
}
