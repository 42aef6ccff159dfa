import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestModule, type TestProject } from 'vitest/node';
import { breakSource } from '../support/broken-build.ts';
import type { Defect, Verdict } from './defect.ts';
import { defects } from './defects.ts';

/**
 * Runs, for each defect, the test that must find it on a build with the defect, and sends each verdict to the parent
 * process. One process runs all of them, because its start takes longer than most tests.
 *
 * The first argument is `broken`, or `whole` for the same tests on the unchanged build; names of defects may follow.
 */
const [build, ...names] = process.argv.slice(2);
assert(build === 'broken' || build === 'whole', 'expected broken or whole');
const wanted = defects.filter(({ name }) => names.length === 0 || names.includes(name));

const root = fileURLToPath(new URL('../../', import.meta.url));
const setUp = fileURLToPath(new URL('./broken-children.ts', import.meta.url));
const vitest = await createVitest('test', {
  root,
  config: false,
  watch: false,
  // The key of the cache has the source of a module, not the defect that changes it.
  fsModuleCache: false,
  reporters: [{ onTestModuleEnd: (module) => void process.send?.(judge(module)) }],
  projects: wanted.map((defect) => ({
    plugins: build === 'broken' ? [breaking(defect)] : [],
    test: {
      name: defect.name,
      maxWorkers: 2,
      include: [defect.caughtBy.file],
      pool: 'forks' as const,
      setupFiles: [setUp],
      globalSetup: [
        'test/support/migrated-file.ts',
        ...(defect.caughtBy.needs === 'postgresql' ? ['test/support/postgresql-project.ts'] : []),
      ],
      env: { BROKEN_BUILD: build === 'broken' ? defect.name : '' },
      // On a broken build the condition that a test waits for may never come.
      testTimeout: 20_000,
      expect: { poll: { timeout: 2_000 } },
    },
  })),
});
await vitest.runTestSpecifications(
  wanted.map((defect) => specify(vitest.getProjectByName(defect.name), defect)),
);
await vitest.close();

/** Changes the sources before any other plugin reads them. */
function breaking({ name, changes }: Defect) {
  return {
    name: `break:${name}`,
    enforce: 'pre' as const,
    transform: (source: string, id: string) =>
      id.includes('/src/') ? breakSource(changes, id, source) : undefined,
  };
}

function specify(project: TestProject, { caughtBy }: Defect) {
  return project.createSpecification(`${root}${caughtBy.file}`, {
    testNamePattern: new RegExp(`(?:^|[ >])${RegExp.escape(caughtBy.test)}$`),
  });
}

function judge(module: TestModule): Verdict {
  const tests = [...module.children.allTests()];
  return {
    name: module.project.name,
    unread: module.errors()[0]?.message ?? null,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures: tests.flatMap((test) =>
      (test.result().errors ?? []).map(({ name, message, cause }) => {
        const from = cause as { readonly name?: string } | undefined;
        return { error: from?.name ?? name ?? '', message };
      }),
    ),
  };
}
