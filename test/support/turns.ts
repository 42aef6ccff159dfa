import { execFileSync } from 'node:child_process';

// oxlint-disable-next-line node/no-process-env -- set by `npm run prove`
const { PROVE, PROVE_SEED } = process.env;

/** Whether tests run at full counts, as with `npm run prove`; before a commit they run at smaller ones. */
export const isFull = PROVE === 'full';

/** Whether `npm run prove -- --quick` runs: suites on both engines then run on one of them. */
export const isQuick = PROVE === 'quick';

/**
 * Chooses among cases that are dear: all of them in a full run; for a commit as many as given, evenly spread from a place
 * that the revision sets, so that all cases have their turn. A figure or the name of a test says which were chosen.
 */
export function someOf<T>(all: readonly T[], perCommit: number): readonly T[] {
  if (isFull || perCommit >= all.length) return all;
  return Array.from({ length: perCommit }, (_, n) => {
    const place = turn + Math.floor((n * all.length) / perCommit);
    return all[place % all.length] as T;
  });
}

/** A number that each revision has; 0 outside a checkout. */
export const turn = Number(PROVE_SEED ?? readRevision());

function readRevision(): number {
  try {
    const args = ['rev-parse', '--short=8', 'HEAD'];
    return Number.parseInt(execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }), 16);
  } catch {
    return 0;
  }
}
