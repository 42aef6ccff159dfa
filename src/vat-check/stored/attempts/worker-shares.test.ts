import { EnabledRegistries } from '../../registries/enabled.ts';
import { describe, expect, it } from 'vitest';
import { reportFigure } from '../../../../test/support/proof.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { storeKey } from '../../../../test/support/stored-webhooks.ts';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import { StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import type { RegistryOutcome } from '../../registries/outcome.ts';
import { estimateDoneAt } from '../backlog.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
const states = viesCodes;
const perDay = 100;

/** Checks of a key, more than a hundredth of the budget. */
function checksOf(keyId: string, count: number, own: { watchId?: string; hours?: number } = {}) {
  const { watchId, hours: expiresInHours = 72 } = own;
  return Array.from({ length: count }, (_, n) => ({
    keyId,
    expiresInHours,
    ...(watchId === undefined ? {} : { watchId }),
    queried: { registryCode: states[n % states.length]!, number: `${keyId} ${n}` },
  }));
}

/** Two replicas with a budget of 100 calls, at noon. */
async function open() {
  const [one, other] = await openTwice();
  const world = await StoredWorld.open(one);
  for (const id of ['key_b', 'key_c']) await storeKey(one, { id });
  world.perDay = perDay;
  const workers = [one, other].map((db) => world.createWorker(db).worker);
  const callsOf = (keyId: string) =>
    world.queries.filter(({ number }) => number.startsWith(keyId)).length;
  const rowsOf = async (keyId: string) =>
    one.selectFrom('vat_checks').selectAll().where('key_id', '=', keyId).execute();
  return { world, db: one, workers, callsOf, rowsOf };
}

describe('shares of the budget of a day (rule K21b)', () => {
  it.each<[string, { watchId?: string }, RegistryOutcome | undefined]>([
    ['a batch', {}, undefined],
    ['its retries', {}, down],
    ['re-checks of watches', { watchId: 'vw_1' }, undefined],
  ])(
    'leave a part to a key that comes later, whatever %s of another key needs',
    async (what, own, outcome) => {
      const { world, workers, callsOf, rowsOf } = await open();
      if (outcome !== undefined) world.answer = () => outcome;
      await world.create(...checksOf('key_a', 3 * perDay, own));

      await world.run(workers, 2 * minuteMs, 200);
      await world.run(workers, 90 * minuteMs, 30 * secondMs);
      const before = callsOf('key_a');
      await world.create(...checksOf('key_b', 2));
      await world.run(workers, 2 * secondMs, 200);

      reportFigure(
        'R36',
        `budget of ${perDay}, ${what} of one key with ${3 * perDay} checks, 2 replicas: ${before} calls before 18:00 UTC, ` +
          `${callsOf('key_b')} of another key with two within 2 s`,
      );
      expect(before).toBe(perDay / 2);
      expect(callsOf('key_a')).toBe(perDay / 2);
      expect((await rowsOf('key_b')).map(({ attempts }) => attempts)).toEqual([1, 1]);
    },
  );

  it('are a third for each of two busy keys, and all is shared from 18:00 UTC on', async () => {
    const { world, workers, callsOf } = await open();
    await world.create(...checksOf('key_a', perDay), ...checksOf('key_b', perDay));

    await world.run(workers, minuteMs, 200);
    expect([callsOf('key_a'), callsOf('key_b')]).toEqual([33, 33]);
    world.advance(5 * hourMs + 58 * minuteMs);
    await world.run(workers, 30 * secondMs, secondMs);
    expect([callsOf('key_a'), callsOf('key_b')]).toEqual([33, 33]);
    world.advance(minuteMs);
    await world.run(workers, minuteMs, 200);

    // The keys take turns in each replica; two replicas may both begin a turn with the same key.
    const calls = [callsOf('key_a'), callsOf('key_b')];
    expect(calls.reduce((sum, one) => sum + one)).toBe(perDay);
    expect(Math.min(...calls)).toBeGreaterThanOrEqual(perDay / 2 - workers.length);
  });

  it('do not bound a key that is not busy', async () => {
    const { world, workers, callsOf } = await open();
    await world.create(...checksOf('key_a', perDay), ...checksOf('key_b', 1));

    await world.run(workers, minuteMs, 200);

    expect([callsOf('key_a'), callsOf('key_b')]).toEqual([50, 1]);
  });

  it('make a wait that does not count towards the expiry, and that the estimate knows', async () => {
    const { world, db, workers, rowsOf } = await open();
    await world.create(...checksOf('key_a', 60, { hours: 2 }));
    const pace = {
      perSecond: 5,
      perDay,
      blockedUntilMs: undefined,
      enabled: new EnabledRegistries(),
    };
    const estimated = await estimateDoneAt(db, 'key_a', world.nowMs, pace);

    await world.run(workers, minuteMs, 200);
    for (let hour = 0; hour < 6; hour += 1) await world.run(workers, hourMs, 30 * minuteMs);
    await world.run(workers, minuteMs, 200);

    const rows = await rowsOf('key_a');
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'answered'));
    const last =
      rows
        .map(({ ended_at }) => ended_at ?? '')
        .sort()
        .at(-1) ?? '';
    expect(estimated).toMatch(/^2026-11-20T18:00:0/);
    expect(last).toMatch(/^2026-11-20T18:[03]/);
  });
});
