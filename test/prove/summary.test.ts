import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printPage } from '../../prove/page.ts';
import type { ProofOutcome } from '../../prove/proof.ts';
import { proofs } from '../../prove/proofs.ts';
import { summaryRows } from '../../prove/summary-rows.ts';
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
  return page.slice(page.indexOf('## Summary'), page.indexOf('All promises:'));
}

describe('the summary of the proofs', () => {
  it('adds up the counts of its promises, without those of broken builds', () => {
    const summary = summaryOf(printPage([crashes, deliveries], 0));

    expect(summary).toContain('**2 of 2 promises were kept**');
    expect(summary).toMatch(/: 6 passed, 0 failed,\n2 could not run/);
    expect(summary).toContain(
      '| 2 of 2 | 1,400 kills of the process while it published, 0 rows or events lost, ' +
        '200 kills while it delivered webhooks, 0 deliveries lost |',
    );
  });

  it('names a promise that was not kept, and counts its failed tests', () => {
    const summary = summaryOf(printPage([crashes, outcome('R16', [], true)], 0));

    expect(summary).toContain('**1 of 2 promises were kept**');
    expect(summary).toContain('6 passed, 1 failed');
    expect(summary).toContain('| **1 of 2**, not R16 |');
  });

  it('is the same if it is written again', () => {
    const page = printPage([crashes, deliveries], 0);

    expect(withSummary(page)).toBe(page);
  });

  it('has each promise in one row, and fits on a screen', () => {
    const named = summaryRows.flatMap(({ promises }) => promises);

    expect(named.toSorted()).toEqual(Object.keys(proofs).toSorted());
    expect(summaryRows.length).toBeLessThanOrEqual(10);
  });

  it('finds every one of its counts on docs/proof.md', () => {
    const summary = summaryOf(withSummary(readFileSync('docs/proof.md', 'utf8')));
    const words = summaryRows.flatMap(({ counted }) => counted.map(([, text]) => text));

    expect(words.filter((text) => !new RegExp(`[\\d,]+ ${text}`).test(summary))).toEqual([]);
  });
});
