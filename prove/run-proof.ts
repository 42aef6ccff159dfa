import type { ProofName } from '../test/support/proof.ts';
import type { Proof, ProofOutcome } from './proof.ts';
import { type Ended, runNode, runTests, runTestsThrough } from './run-process.ts';

/**
 * Runs a proof at full counts.
 *
 * The output of its processes goes to files in `folder` whose names begin with that of the proof.
 */
export async function runProof(
  name: ProofName,
  proof: Proof,
  folder: string,
): Promise<ProofOutcome> {
  const startedMs = performance.now();
  const ends: Ended[] = [];
  for (const [at, { project, files, through }] of proof.suites.entries()) {
    const run = { folder, name: `${name}-${at}`, counts: 'full' } as const;
    // An engine has a project in each tier of the tests.
    const ended = await (through === undefined
      ? runTests(['--project', `${project}*`, ...files], run)
      : runTestsThrough(through, files, run));
    ends.push(ended);
  }
  const failures = ends.flatMap(failuresOf);
  let programsPassed = 0;
  if (proof.program !== undefined) {
    const ended = await runNode(proof.program, { folder, name, counts: 'full' });
    ends.push(ended);
    if (ended.code === 0) programsPassed += 1;
    else failures.push(`${proof.program.join(' ')} ended with ${ended.code}: ${ended.log}`);
  }
  const outcomes = ends.flatMap((ended) => ended.outcomes);
  return {
    name,
    figures: ends.flatMap((ended) => ended.figures),
    passedCount: programsPassed + sum(outcomes.map(({ passedCount }) => passedCount)),
    skippedCount: sum(outcomes.map(({ skippedCount }) => skippedCount)),
    failures,
    tookMs: performance.now() - startedMs,
  };
}

/** The failed tests of a run of the test runner; the log if it failed for another reason. */
export function failuresOf({ code, log, outcomes }: Ended): readonly string[] {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  return code === 0 || failures.length > 0
    ? failures
    : [`the test runner ended with ${code}: ${log}`];
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
