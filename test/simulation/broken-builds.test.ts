import { describe, expect, it } from 'vitest';
import { isFull, reportFigure, someOf } from '../support/proof.ts';
import { breaks } from './breaks.ts';
import { liveSeeds } from './seeds-process.ts';

/** Enough seeds for each build; the first days of the first seed catch most. */
const seeds = { from: 5, to: 60, days: 60 };

/** Builds that take up to a minute of a core until they are caught: in full runs only. */
const dear = [
  'rows written outside the transaction',
  'a second answer overwrites a stored version',
  'local time instead of that of Frankfurt',
  'a wrong clock publishes',
];

/** The others take seconds; a commit tries two of them. */
const all = Object.keys(breaks);
const names = isFull
  ? all
  : someOf(
      all.filter((name) => !dear.includes(name)),
      2,
    );

describe('a broken build in simulated time (reliability R4)', () => {
  it.each(names)('is caught by an invariant: %s', { timeout: 240_000 }, async (name) => {
    const lived = await liveSeeds(seeds, name);

    const violation = lived.at(-1)?.violation ?? 'none';
    expect(violation).not.toBe('none');
    // A build that only crashes reports a stack instead of a violation.
    expect(violation).not.toMatch(/\n +at /);
    const [first = ''] = violation.split('\n');
    reportFigure(
      'R4',
      `a broken build (${name}) is caught at seed ${lived.at(-1)?.seed}: ${first.slice(0, 160)}`,
    );
  });
});
