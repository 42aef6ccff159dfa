import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgresql, findRedis } from '../support/programs.ts';
import { isFull, reportFigure, someOf } from '../support/proof.ts';
import type { Defect, Verdict } from './defect.ts';
import { defects } from './defects.ts';
import { JudgedBuilds } from './judged-builds.ts';

/** Time for the tests of all defects together, on a busy machine. */
const timeout = 300_000;
/** A commit tries some, because all of them take two minutes. */
const chosen = someOf(defects, 8);
const runnable = chosen.filter(canRun);

describe('a build with a defect', () => {
  let builds: JudgedBuilds;
  beforeAll(() => {
    builds = new JudgedBuilds('broken', runnable);
  });
  afterAll(async () => builds.stop(), timeout);

  it.for(chosen)('is caught by name: $name', { timeout }, async (defect, { skip }) => {
    if (!canRun(defect)) skip(`${defect.caughtBy.needs} is not installed`);

    const verdict = await builds.of(defect);

    const { file, test } = defect.caughtBy;
    expect(summarize(verdict, defect)).toEqual({ unread: null, passed: 0, caught: 1, fell: [] });
    reportFigure(
      defect.promised,
      `a build that ${defect.wrong} (${defect.name}) is caught by ${file}: ${test}`,
    );
  });
});

describe.skipIf(!isFull)(
  'the build without a defect (a commit runs these tests in their own tiers)',
  () => {
    it('passes the same tests', { timeout }, async () => {
      const builds = new JudgedBuilds('whole', runnable);

      const verdicts = await Promise.all(runnable.map(async (defect) => builds.of(defect)));
      await builds.stop();

      const wrong = verdicts.filter(({ passed, failures }) => passed !== 1 || failures.length > 0);
      expect(wrong).toEqual([]);
    });
  },
);

/** A caught defect is one test that fails by an assertion; another error counts as `fell`. */
function summarize(
  { unread, passed, failures }: Verdict,
  { caughtBy: { says } }: Defect,
): Readonly<Record<string, unknown>> {
  const fell = failures.filter(
    ({ error, message }) => error !== 'AssertionError' && says?.test(message) !== true,
  );
  return { unread, passed, caught: failures.length - fell.length, fell };
}

function canRun({ caughtBy: { needs } }: Defect): boolean {
  if (needs === 'postgresql') return findPostgresql() !== undefined;
  return needs !== 'redis' || findRedis() !== undefined;
}
