import { describe, expect, it } from 'vitest';
import { CounterWorld, dailyUse as use, limitedKey } from '../../../test/support/open-counter.ts';
import { quotaOnly, rateOnly } from '../../platform/http/request-cost.ts';

const readAgainMs = 2_000;

/** A process that serves alone. */
function openAlone(at?: string) {
  const world = new CounterWorld(at);
  return { world, ...world.open() };
}

describe('Counter.charge (contract C26)', () => {
  it('judges both limits as one step: a request that one of them refuses counts against neither (contract C3)', async () => {
    const { world, charge, usedInMonth, ledger } = openAlone();
    const key = limitedKey({ rateLimit: 10, quota: 17 });

    expect(await charge(key, 3, 4)).toEqual(['ok', 'ok', 'rateLimited']);
    expect(await charge(key, 3)).toEqual(['ok', 'ok', 'rateLimited']);
    world.clock.advance(60_000);
    expect(await charge(key, 2, 4)).toEqual(['ok', 'quotaExceeded']);
    expect(await charge(key, 4, rateOnly)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await charge(key, 3, quotaOnly(1))).toEqual(['ok', 'ok', 'ok']);
    expect(await usedInMonth(key)).toBe(17);
    expect(ledger.listUnwritten()).toEqual([use('2026-11-20', 17)]);
  });

  it('begins a new window if the clock was set back, and refuses no key for longer than a minute', async () => {
    const { world, charge } = openAlone();
    const key = limitedKey({ rateLimit: 1 });
    await charge(key);

    world.clock.advance(-1_000);
    expect(await charge(key)).toEqual(['rateLimited']);
    world.clock.advance(-1);
    expect(await charge(key, 2)).toEqual(['ok', 'rateLimited']);
    world.clock.advance(60_000);
    expect(await charge(key)).toEqual(['ok']);
  });
});

describe('Counter at the end of a month (contract C26)', () => {
  it('charges and reports the month in which it answers, if that begins while it reads', async () => {
    const { world, charge, counter } = openAlone('2026-11-30T23:59:59.999Z');
    world.rows.push(use('2026-11-30', 2));
    const gate = Promise.withResolvers<void>();
    world.database.ready = gate.promise;

    const charged = charge(limitedKey({ quota: 2 }));
    const described = counter.describe(limitedKey({ id: 'key_2' }));
    world.clock.advance(1);
    gate.resolve();

    expect(await charged).toEqual(['ok']);
    expect(await described).toMatchObject({
      windowEndsMs: Date.parse('2026-12-01'),
      usedInMonth: 0,
      month: { startsMs: Date.parse('2026-12-01'), endsMs: Date.parse('2027-01-01') },
    });
  });
});

describe('Counter without the database (contract C26)', () => {
  it('reads the month again in the background, and counts each request once', async () => {
    const { world, counter, charge, write, usedInMonth } = openAlone();
    const key = limitedKey({ quota: 36 });
    world.rows.push(use('2026-11-19', 30));
    world.database.isAway = true;
    await charge(key, 2);
    await write();
    await charge(key, 3);
    world.database.isAway = false;
    world.clock.advance(readAgainMs);

    expect(await counter.charge(key)).toBeUndefined();
    expect(await usedInMonth(key)).toBe(36);
    expect(await charge(key)).toEqual(['quotaExceeded']);
    world.clock.advance(readAgainMs);
    expect(await charge(key)).toEqual(['quotaExceeded']);
    expect(world.reads).toHaveLength(2);
  });
});
