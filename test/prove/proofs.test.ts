import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { printPage, replaceOnPage } from '../../prove/page.ts';
import { judge, type Proof, type ProofOutcome } from '../../prove/proof.ts';
import { proofs } from '../../prove/proofs.ts';
import { sortOutcomes } from '../../prove/quick.ts';
import { runProof } from '../../prove/run-proof.ts';

const program: Proof = {
  title: 'A program',
  goal: 'It ends well.',
  suites: [],
  when: 'parallel',
  smaller: null,
};

async function runWith(change: Partial<Proof>): Promise<ProofOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-prove-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return runProof('R99', { ...program, ...change }, folder);
}

/** A proof whose program prints a figure and ends with this code. */
const printing = (code: number): Partial<Proof> => ({
  program: [
    '--input-type=module',
    '--eval',
    `const { reportFigure, isFull } = await import('./test/support/proof.ts');
     reportFigure('R99', isFull ? '7 of 7' : 'less');
     process.exit(${code});`,
  ],
});

describe('runProof', () => {
  it('runs at full counts and collects the figures', async () => {
    const shown = await runWith(printing(0));

    expect(shown).toMatchObject({
      figures: [{ promised: 'R99', figure: '7 of 7' }],
      passedCount: 1,
      failures: [],
    });
    expect(judge(shown, program)).toBe('kept');
  });

  it('does not report a promise as kept if a program fails', async () => {
    const shown = await runWith(printing(1));

    expect(shown.failures).toMatchObject([expect.stringContaining('ended with 1')]);
    expect(judge(shown, program)).toBe('NOT SHOWN');
  });

  it('does not report a promise as kept without a test', async () => {
    const suites = [{ project: 'sqlite', files: ['test/none.test.ts'] }] as const;

    const shown = await runWith({ ...printing(0), suites });

    expect(shown.failures).toMatchObject([expect.stringContaining('ended with 1')]);
    expect(judge(shown, program)).toBe('NOT SHOWN');
  });

  it('does not report a promise as kept without a figure', async () => {
    const shown = await runWith({ program: ['--eval', '0'] });

    expect(judge(shown, program)).toBe('NOT SHOWN');
  });
});

describe('a proof whose tests are run by another program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-prove-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function runThrough(script: string): Promise<ProofOutcome> {
    const through = join(folder, 'run');
    writeFileSync(through, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return runWith({ suites: [{ project: 'containers', files: ['a.test.ts'], through }] });
  }

  it('gives the program the reporters and the files of the tests', async () => {
    const shown = await runThrough(`[ "$#" = 3 ] && [ "$3" = a.test.ts ] && [ "$PROVE" = full ]`);

    expect(shown.failures).toEqual([]);
  });

  it('could not run if the program runs no test and what the tests need can be missing', async () => {
    const shown = await runThrough('exit 0');

    expect(judge(shown, { needs: 'an engine' })).toBe('could not run here');
    expect(judge(shown, {})).toBe('NOT SHOWN');
  });

  it('is not shown if the program fails, whatever may be missing', async () => {
    const shown = await runThrough('exit 1');

    expect(judge(shown, { needs: 'an engine' })).toBe('NOT SHOWN');
  });
});

describe('sortOutcomes', () => {
  const inJourney = { project: 'sqlite-prove', file: 'test/journeys/webhook-crash.test.ts' };
  const counts = { tookMs: 2_000, passedCount: 3, skippedCount: 0, failures: [] };
  const journey = { ...inJourney, ...counts };

  it('gives each promise the outcomes and figures of its test files', () => {
    const figure = { promised: 'R16', figure: '3 kills', file: inJourney.file } as const;

    const { shown } = sortOutcomes(proofs, {
      outcomes: [journey, { ...journey, project: 'postgresql-prove' }],
      figures: [figure, { ...figure, file: 'test/journeys/crash.test.ts' }],
    });

    expect(shown).toEqual([
      {
        name: 'R16',
        figures: [figure],
        passedCount: 6,
        skippedCount: 0,
        failures: [],
        tookMs: 4_000,
      },
    ]);
  });

  it('keeps failures that belong to no promise', () => {
    const other = { ...journey, file: 'test/prove/proofs.test.ts', failures: ['is wrong'] };

    expect(sortOutcomes(proofs, { outcomes: [other], figures: [] })).toMatchObject({
      shown: [],
      otherFailures: ['is wrong'],
    });
  });
});

describe('the page', () => {
  const shown: ProofOutcome = {
    name: 'R16',
    figures: [{ promised: 'R16', figure: '200 kills: 0 lost' }],
    passedCount: 3,
    failures: [],
    skippedCount: 1,
    tookMs: 212_000,
  };

  it('has the figures of a promise and its test files', () => {
    const page = printPage([shown], 61_000);

    expect(page).toContain('The run took 1 minutes');
    expect(page).toContain('| `kill -9` during delivery | kept |');
    expect(page).toContain('\n- 200 kills: 0 lost\n');
    expect(page).toMatch(
      /3 passed, 1 skipped, 212 s on .*: `test\/journeys\/webhook-crash.test.ts`/,
    );
  });

  it('names the failed tests', () => {
    const page = printPage(
      [{ ...shown, failures: ['is delivered once: expected 1\n    at x'] }],
      0,
    );

    expect(page).toContain('| NOT SHOWN |');
    expect(page).toContain('- **failed**: is delivered once: expected 1\n');
  });

  it.each([
    ['in the middle', 'R16'],
    ['at the end', 'R17'],
  ] as const)('replaces a promise that was run again: %s', (_, name) => {
    const others = [shown, { ...shown, name: 'R17' as const }];
    const again: ProofOutcome = {
      ...shown,
      name,
      figures: [{ promised: name, figure: '$& is the figure' }],
      passedCount: 0,
    };

    const page = replaceOnPage(printPage(others, 0), again);

    expect(page).toBe(
      printPage(
        others.map((one) => (one.name === name ? again : one)),
        0,
      ),
    );
  });

  it.each([
    ['at the beginning', 'R15'],
    ['in the middle', 'R17'],
    ['at the end', 'R34'],
  ] as const)('gets a promise that it does not have yet: %s', (_, name) => {
    const others = [shown, { ...shown, name: 'R20' as const }];
    const added = { ...shown, name };

    const page = replaceOnPage(printPage(others, 0), added);

    const order = (outcome: ProofOutcome): number => Number(outcome.name.slice(1));
    expect(page).toBe(
      printPage(
        [...others, added].toSorted((a, b) => order(a) - order(b)),
        0,
      ),
    );
  });

  it('stays unchanged if another machine has written it', () => {
    expect(replaceOnPage('# Proof\n\n## R16 x\n\ny\n', shown)).toBe('# Proof\n\n## R16 x\n\ny\n');
  });
});
