import { describe, expect, it } from 'vitest';
import { germanChecks, StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import { reportFigure } from '../../../../test/support/proof.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';

const secondMs = 1_000;
const numbersOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);

describe('the pace of background attempts (rule K8)', () => {
  it('queries a Member State twice a second with two workers together', async () => {
    const [one, other] = await openTwice();
    const world = await StoredWorld.open(one);
    const workers = [world.createWorker(one).worker, world.createWorker(other).worker];
    await world.create(...germanChecks(numbersOf(30)));

    await world.run(workers, 2 * secondMs, 50);

    expect(world.queries).toHaveLength(4);
  });

  it.each([1, 3])(
    'queries all Member States together 5 times a second in turn, with %i workers',
    async (count) => {
      const [one, other] = await openTwice();
      const world = await StoredWorld.open(one);
      const workers = Array.from(
        { length: count },
        (_, n) => world.createWorker(n % 2 === 0 ? one : other).worker,
      );
      const states = viesCodes;
      await world.create(
        ...states.flatMap((registryCode) =>
          numbersOf(20).map((number) => ({ queried: { registryCode, number } })),
        ),
      );

      await world.run(workers, 10 * secondMs, 50);

      const perState = Map.groupBy(world.queries, ({ registryCode }) => registryCode);
      reportFigure(
        'R29',
        `${states.length} Member States with ${count} replicas: ${world.queries.length} background queries in 10 s`,
      );
      expect(world.queries).toHaveLength(50);
      // Replicas that claim at the same moment may each take a check of one Member State.
      expect(perState.size).toBeGreaterThanOrEqual(count === 1 ? states.length : 20);
    },
  );
});
