import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page, replaceResults, titleOf } from '../../prove/page.ts';
import { judge, type Outcome, type Promised, promises } from '../../prove/promises.ts';
import { describeOthers, runPromise, sortByPromise } from '../../prove/run-tests.ts';
import { summaryRows, withSummary } from '../../prove/summary.ts';
import type { ProofName } from '../support/proof.ts';

const text = readFileSync(page, 'utf8');
const names = Object.keys(promises) as ProofName[];

async function run(promised: Promised): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-prove-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return runPromise('R99', promised, folder);
}

/** A program that prints a figure and ends with this code. */
const printing = (code: number): Promised => ({
  program: [
    '--input-type=module',
    '--eval',
    `const { reportFigure, isFull } = await import('./test/support/proof.ts');
     reportFigure('R99', isFull ? '7 of 7' : 'less');
     process.exit(${code});`,
  ],
});

describe('runPromise', () => {
  it('runs at full counts and collects the figures', async () => {
    const shown = await run(printing(0));

    const figures = [{ promised: 'R99', figure: '7 of 7' }];
    expect(shown).toMatchObject({ figures, passedCount: 1, failures: [] });
    expect(judge(shown, {})).toBe('kept');
  });

  it.each([
    ['a program fails', printing(1)],
    ['a program prints no figure', { program: ['--eval', '0'] }],
    ['there is no test', { ...printing(0), sqlite: ['test/none.test.ts'] }],
  ])('does not report a promise as kept if %s', async (_, promised) => {
    expect(judge(await run(promised), {})).toBe('NOT SHOWN');
  });
});

describe('judge', () => {
  const ran = { name: 'R34', figures: [], passedCount: 0, skippedCount: 3, tookMs: 1 } as const;

  it('does not count a promise as kept whose tests need what this machine does not have', () => {
    expect(judge({ ...ran, failures: [] }, { needs: 'an engine' })).toBe('could not run here');
    expect(judge({ ...ran, failures: [] }, {})).toBe('NOT SHOWN');
    expect(judge({ ...ran, failures: ['x'] }, { needs: 'an engine' })).toBe('NOT SHOWN');
  });
});

describe('sortByPromise', () => {
  const counts = { tookMs: 2_000, passedCount: 3, skippedCount: 0, failures: [] };
  const crash = { ...counts, project: 'sqlite-prove', file: 'test/journeys/webhook-crash.test.ts' };

  it('gives each promise the outcomes and figures of its files, on both engines', () => {
    const figure = { promised: 'R16', figure: '3 kills', file: crash.file } as const;
    const others = [{ ...figure, file: 'test/journeys/crash.test.ts' }];

    const { shown, otherFailures } = sortByPromise({
      outcomes: [crash, { ...crash, project: 'postgresql-prove' }],
      figures: [figure, ...others],
      failures: [],
    });

    expect(otherFailures).toEqual([]);
    expect(shown).toEqual([
      { ...counts, name: 'R16', figures: [figure], passedCount: 6, tookMs: 4_000 },
    ]);
  });

  it('keeps failures that belong to no promise, and those of the runner', () => {
    const failed = { ...crash, failures: ['is lost'] };
    const failures = ['is lost', 'is wrong', 'ended with 1'];

    const { shown, otherFailures } = sortByPromise({ outcomes: [failed], figures: [], failures });

    expect(shown).toMatchObject([{ name: 'R16', failures: ['is lost'] }]);
    expect(otherFailures).toEqual(['is wrong', 'ended with 1']);
  });
});

describe('describeOthers', () => {
  it('names each promise that a quick run did not try, once, and where it is shown', () => {
    const [, ...lines] = describeOthers(['R2', 'defects']);

    const [turned, full, elsewhere] = lines.map((line) =>
      (/: ([^(]*)/.exec(line)?.[1] ?? '').trim().split(', '),
    );
    expect(full).toEqual(['mutants']);
    expect(elsewhere).toEqual(expect.arrayContaining(['R34', 'samples']));
    expect(
      [...(turned ?? []), ...(elsewhere ?? []), 'R2', 'defects', 'mutants'].toSorted(),
    ).toEqual(names.toSorted());
  });
});

describe('docs/proof.md', () => {
  const shown: Outcome = {
    name: 'R16',
    figures: [{ promised: 'R16', figure: '$& 70000 kills on SQLite, 0 lost, 0 phantom' }],
    passedCount: 3,
    failures: [],
    skippedCount: 1,
    tookMs: 212_000,
  };

  it('has a section, a row and a place in the summary for each promise', () => {
    expect(names.filter((name) => titleOf(text, name) === '')).toEqual([]);
    expect([...text.matchAll(/^\| \[(\w+)\]\(#/gm)].map(([, name]) => name)).toEqual(names);
    expect(summaryRows.flatMap((row) => row.promises).toSorted()).toEqual(names.toSorted());
  });

  it('stays unchanged if its summary is written again', () => {
    expect(withSummary(text)).toBe(text);
  });

  it('gets the results of a promise in its section, its row and the summary', () => {
    const renewed = replaceResults(text, shown);

    expect(renewed).toContain('\n- $& 70000 kills on SQLite, 0 lost, 0 phantom\n');
    expect(renewed).toMatch(/\n3 passed, 1 skipped, 212 s on .*: `test\/journeys\/webhook-crash/);
    expect(renewed).toContain('| `kill -9` during delivery | kept |');
    expect(renewed.split('\n## ').length).toBe(text.split('\n## ').length);
    expect(replaceResults(renewed, shown)).toBe(renewed);
  });

  it('names the failed tests, keeps what a run does not reach, and counts the promise as not shown', () => {
    const failures = [`is flushed: ${resolve('bin/vatfx.js')} ended with 1\n    at x`];

    const renewed = replaceResults(text, { ...shown, name: 'R2', figures: [], failures });

    expect(renewed).toContain('| Power loss | NOT SHOWN |');
    expect(renewed).toContain(
      '- **failed**: is flushed: bin/vatfx.js ended with 1\n\nSmaller here: on the emb',
    );
    expect(renewed).toMatch(/^\*\*\d+ of \d+ promises were kept\*\*, [1-9]\d* not shown, /m);
    expect(renewed).toContain('**not shown**: [Power loss](#r2-power-loss)');
  });

  it('says that a promise could not be tried, and why', () => {
    const untried = { ...shown, name: 'R34', figures: [], passedCount: 0 } as const;

    const renewed = replaceResults(text, untried);

    expect(renewed).toContain('| Containers | could not run here |');
    expect(renewed).toContain('Could not run on this machine: the tests need a container engine,');
    expect(renewed).toContain('could not be tried here: [Containers](#r34-containers)');
  });

  it('has every count of the summary', () => {
    const isKept = (name: ProofName) =>
      new RegExp(`^\\| \\[${name}\\].* kept \\|$`, 'm').test(text);
    const counted = summaryRows
      .flatMap(({ tried, found }) => [...tried, ...found])
      .flatMap(([of, , words]) => (isKept(of) ? [words] : []));

    expect(counted.length).toBeGreaterThan(20);
    expect(counted.filter((words) => !new RegExp(`[\\d,]+ ${words}`).test(text))).toEqual([]);
  });
});
