import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import { liveSeeds, printFigures, printViolations } from './seeds-process.ts';

/** Time limit of a full run: 10,000 seeds of a year would take about forty hours of one core. */
const minutes = Number(process.env['SIM_MINUTES'] ?? countOf({ full: 15, perCommit: 60 }));
const seedCount = countOf({ full: 10_000, perCommit: 2 });
const days = countOf({ full: 365, perCommit: 20 });
/** The first seed, which differs in each full run, so that no year is simulated twice. */
const firstSeed = seedOf(1);

describe('simulated time (reliability R4, R6)', () => {
  it(
    'keeps every invariant under faults of the service, its upstreams and its clock',
    async () => {
      const by = availableParallelism();
      const parts = await Promise.all(
        Array.from({ length: by }, async (_, at) =>
          liveSeeds({
            from: firstSeed + at,
            to: firstSeed + seedCount - 1,
            by,
            days,
            minutes,
          }),
        ),
      );

      const lived = parts.flat();
      reportFigure('R4', `from seed ${firstSeed}: ${printFigures(lived, days)}`);
      expect(printViolations(lived)).toEqual([]);
      expect(lived.length).toBeGreaterThan(0);
    },
    (minutes + 10) * 60_000,
  );

  it('repeats a seed exactly', async () => {
    const seeds = { from: 1, to: 1, days: countOf({ full: 25, perCommit: 5 }) };

    const [first, second] = await Promise.all([liveSeeds(seeds), liveSeeds(seeds)]);

    expect(second).toEqual(first);
  });
});
