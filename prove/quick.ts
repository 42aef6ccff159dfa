import type { FileOutcome } from './outcome-reporter.ts';
import { formatOutcome } from './page.ts';
import type { ProofName } from '../test/support/proof.ts';
import { type Figure, judge, type Proof, type ProofOutcome } from './proof.ts';
import { failuresOf, sum } from './run-proof.ts';
import { runTests } from './run-process.ts';

/** The outcome of a quick run. */
export type QuickOutcome = {
  /** The outcomes of promises that have tests in this run. */
  readonly shown: readonly ProofOutcome[];
  /** Promises whose tests are all in `npm test` and `npm run test:engines`. */
  readonly elsewhere: readonly ProofName[];
  /** Failed tests that belong to no promise, and other reasons why the run failed. */
  readonly otherFailures: readonly string[];
};

/**
 * Runs the tests of the projects `*-prove` once, at the small counts of a commit, and prints each promise.
 *
 * `npm test` and `npm run test:engines` run the remaining tests, so CI runs no test twice. Returns true if every promise is kept.
 */
export async function proveQuickly(
  proofs: Readonly<Record<ProofName, Proof>>,
  folder: string,
): Promise<boolean> {
  const ended = await runTests(['--project', '*-prove'], {
    folder,
    name: 'quick',
    counts: 'perCommit',
  });
  const { shown, elsewhere, otherFailures } = sortOutcomes(proofs, ended);
  for (const one of shown) console.log(formatOutcome(one));
  console.log(`Shown by npm test and npm run test:engines: ${elsewhere.join(', ')}`);
  const [runnerFailure] = failuresOf(ended);
  const others =
    ended.outcomes.some(({ failures }) => failures.length > 0) || runnerFailure === undefined
      ? otherFailures
      : [...otherFailures, runnerFailure];
  for (const failure of others) console.log(`! ${failure}`);
  const isNotShown = (one: ProofOutcome): boolean =>
    judge(one, proofs[one.name] ?? {}) === 'NOT SHOWN';
  return others.length === 0 && !shown.some(isNotShown);
}

/** Sorts the outcomes of test files and their figures by promise. */
export function sortOutcomes(
  proofs: Readonly<Record<ProofName, Proof>>,
  run: { readonly outcomes: readonly FileOutcome[]; readonly figures: readonly Figure[] },
): QuickOutcome {
  const shown: ProofOutcome[] = [];
  const elsewhere: ProofName[] = [];
  const ofPromises = new Set<FileOutcome>();
  for (const [key, proof] of Object.entries(proofs)) {
    const name = key as ProofName;
    const outcomes = run.outcomes.filter((outcome) => belongsTo(proof, outcome));
    if (outcomes.length === 0) {
      elsewhere.push(name);
      continue;
    }
    for (const outcome of outcomes) ofPromises.add(outcome);
    const files = new Set(outcomes.map(({ file }) => file));
    shown.push({
      name,
      figures: run.figures.filter(({ file = '' }) => files.has(file)),
      passedCount: sum(outcomes.map(({ passedCount }) => passedCount)),
      skippedCount: sum(outcomes.map(({ skippedCount }) => skippedCount)),
      failures: outcomes.flatMap(({ failures }) => failures),
      tookMs: sum(outcomes.map(({ tookMs }) => tookMs)),
    });
  }
  const others = run.outcomes.filter((outcome) => !ofPromises.has(outcome));
  return { shown, elsewhere, otherFailures: others.flatMap(({ failures }) => failures) };
}

function belongsTo({ suites }: Proof, { project, file }: FileOutcome): boolean {
  return suites.some(
    (suite) =>
      project.startsWith(suite.project) && suite.files.some((prefix) => file.startsWith(prefix)),
  );
}
