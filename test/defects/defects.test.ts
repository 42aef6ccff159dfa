import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakSource, type Change } from '../support/broken-build.ts';
import { findPostgresql, findRedis } from '../support/programs.ts';
import { isFull, tellFigure } from '../support/proof.ts';
import type { Defect, Verdict } from './defect.ts';
import { defects } from './defects.ts';
import { JudgedBuilds } from './judged-builds.ts';

/** All their tests together, on a busy machine. */
const timeout = 300_000;
const runnable = defects.filter(canRun);

describe('the defects that are planted', () => {
  it('have names of their own', () => {
    expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  });

  it.each(defects)('change what the product has: $name', ({ changes }) => {
    expect(changes).not.toEqual([]);
    for (const [file, those] of Map.groupBy(changes, ({ file }) => file)) {
      const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
      expect(breakSource(those, `/src/${file}`, source)).not.toBe(source);
    }
  });

  it('are told by the line that is gone when the product has changed', () => {
    const change: Change = { file: 'a/b.ts', what: 'one', by: 'two' };

    expect(() => breakSource([change], '/x/src/a/b.ts', 'other')).toThrow(
      'the build has no one any more',
    );
  });
});

describe('a build with a defect', () => {
  let builds: JudgedBuilds;
  beforeAll(() => {
    builds = new JudgedBuilds('broken', runnable);
  });
  afterAll(async () => builds.stop(), timeout);

  it.for(defects)('is caught by name: $name', { timeout }, async (defect, { skip }) => {
    if (!canRun(defect)) skip(`there is no ${defect.caughtBy.needs} here`);

    const verdict = await builds.of(defect);

    const { file, test } = defect.caughtBy;
    expect(summarize(verdict, defect)).toEqual({ unread: null, passed: 0, caught: 1, fell: [] });
    tellFigure(
      defect.promised,
      `a build that ${defect.wrong} (${defect.name}) is caught by ${file}: ${test}`,
    );
  });
});

describe.skipIf(!isFull)(
  'the build without a defect, for `npm test` runs these tests as well',
  () => {
    it('passes them all', { timeout }, async () => {
      const builds = new JudgedBuilds('whole', runnable);

      const verdicts = await Promise.all(runnable.map(async (defect) => builds.of(defect)));
      await builds.stop();

      const wrong = verdicts.filter(({ passed, failures }) => passed !== 1 || failures.length > 0);
      expect(wrong).toEqual([]);
    });
  },
);

/** What has to come of it: one test that fails because of what it asserts, not because it fell over. */
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
