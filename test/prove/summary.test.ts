import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printPage } from '../../prove/page.ts';
import type { ProofOutcome } from '../../prove/proof.ts';
import { proofs } from '../../prove/proofs.ts';
import { type Counted, summaryRows } from '../../prove/summary-rows.ts';
import { withSummary } from '../../prove/summary.ts';
import type { ProofName } from '../support/proof.ts';

function outcome(name: ProofName, figures: readonly string[], failed = false): ProofOutcome {
  return {
    name,
    figures: figures.map((figure) => ({ promised: name, figure })),
    passedCount: 3,
    skippedCount: 1,
    failures: failed ? ['is delivered once: expected 1'] : [],
    tookMs: 1_000,
  };
}

const rest =
  'runs of the job: 0 in between; after the next run 0 rows, events and publications lost';
const delivered = '4 attempts under way, 1 replays, 10 receivers: 31 of 31 there by webhook-id';
const crashes = outcome('R1', [`200 kills in 213 ${rest}`, `1200 kills in 219 ${rest}`]);
const deliveries = outcome('R16', [
  `200 kills on SQLite, ${delivered}, 0 lost, 0 phantom`,
  `caught: a build that forgets, 3 kills on SQLite, ${delivered}, 24 lost, 0 phantom`,
]);

function summaryOf(page: string): string {
  return page.slice(0, page.indexOf('## All promises'));
}

describe('the summary of the proofs', () => {
  it('adds up the counts of its promises, without those of broken builds', () => {
    const summary = summaryOf(printPage([crashes, deliveries], 0));

    expect(summary).toContain('**2 of 2 promises were kept**');
    expect(summary).toMatch(/:\n6 passed, 0 failed, 2 could not run here\./);
    expect(summary).toContain(
      '| 1,400 kills of the program while it published, 200 kills while it delivered webhooks ' +
        '| **kept**; 0 rows or events lost, 0 deliveries lost |',
    );
  });

  it('names a promise that was not kept, and counts its failed tests', () => {
    const summary = summaryOf(printPage([crashes, outcome('R16', [], true)], 0));

    expect(summary).toContain('**1 of 2 promises were kept**');
    expect(summary).toContain('6 passed, 1 failed');
    expect(summary).toContain(
      '| **not shown**: [`kill -9` during delivery](#r16-kill--9-during-delivery); 0 rows',
    );
  });

  it('names a promise that could not be tried, and does not count it as kept', () => {
    const untried = { ...outcome('R34', []), passedCount: 0 };

    const page = printPage([outcome('R25', []), untried], 0);

    expect(summaryOf(page)).toContain('**0 of 2 promises were kept**, 1 not shown, 1 could not');
    expect(summaryOf(page)).toContain('could not be tried here: [Containers](#r34-containers)');
    expect(page).toContain('| Containers | could not run here |');
    expect(page).toContain('Could not run on this machine: the tests need a container engine, or');
  });

  it('is the same if it is written again', () => {
    const page = printPage([crashes, deliveries], 0);

    expect(withSummary(page)).toBe(page);
  });

  it('has each promise in one row', () => {
    const named = summaryRows.flatMap(({ promises }) => promises);

    expect(named.toSorted()).toEqual(Object.keys(proofs).toSorted());
  });

  it('is the first screen of docs/proof.md, in words that need no list of promises', () => {
    const summary = summaryOf(withSummary(readFileSync('docs/proof.md', 'utf8')));

    expect(summary.split('\n').length).toBeLessThan(30);
    expect(summary).not.toMatch(/\bR\d/);
  });

  it('finds every one of its counts on docs/proof.md', () => {
    const page = withSummary(readFileSync('docs/proof.md', 'utf8'));
    const isCounted = ([{ of }]: Counted): boolean =>
      new RegExp(`^\\| \\[${of}\\]\\(.*\\| kept \\|$`, 'm').test(page);
    const words = summaryRows
      .flatMap(({ tried, found }) => [...tried, ...found])
      .filter(isCounted)
      .map(([, text]) => text);

    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((text) => !new RegExp(`[\\d,]+ ${text}`).test(summaryOf(page)))).toEqual(
      [],
    );
  });
});
