import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** The outcome of one test file in one project of `vitest.config.ts`. */
export type FileOutcome = {
  readonly project: string;
  /** Path below the root of the repository. */
  readonly file: string;
  readonly tookMs: number;
  readonly passedCount: number;
  readonly skippedCount: number;
  /** Name and first error of each failed test, and the reason if the file could not be loaded. */
  readonly failures: readonly string[];
};

/** A reporter of the test runner. It appends each `FileOutcome` to the file `PROVE_OUTCOMES`, as a line of JSON. */
// oxlint-disable-next-line import/no-default-export -- the test runner loads reporters by it
export default class OutcomeReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const file = process.env['PROVE_OUTCOMES'];
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(toOutcome(module))}\n`);
  }
}

function toOutcome(module: TestModule): FileOutcome {
  const tests = [...module.children.allTests()];
  const file = relative(module.project.config.root, module.moduleId);
  const countOf = (state: 'passed' | 'skipped'): number =>
    tests.filter((test) => test.result().state === state).length;
  return {
    project: module.project.name,
    file,
    tookMs: module.diagnostic().duration,
    passedCount: countOf('passed'),
    skippedCount: countOf('skipped'),
    failures: [
      ...module.errors().map(({ message }) => `${file}: ${message}`),
      ...tests.filter((test) => test.result().state === 'failed').map(describeFailure),
    ],
  };
}

function describeFailure(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `${test.fullName}: ${error?.stack ?? error?.message ?? ''}`;
}
