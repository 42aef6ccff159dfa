import { describe, expect, it } from 'vitest';
import {
  dailyUse as use,
  limitedKey as keyOf,
  openLimiter,
} from '../../../test/support/open-limiter.ts';

/** After this time a month is read again. */
const readAgainMs = 2_000;

describe('counting without the database (contract C26)', () => {
  it('begins at 0', async () => {
    const { rows, database, charge } = openLimiter();
    rows.push(use('2026-11-19', 3));
    database.isAway = true;

    expect(await charge(keyOf({ quota: 3 }), 4)).toEqual(['ok', 'ok', 'ok', 'quotaExceeded']);
  });

  it('does not wait for the database with every request', async () => {
    const { clock, reads, database, charge } = openLimiter();
    database.isAway = true;

    await charge(keyOf());
    clock.advance(readAgainMs - 1);
    await charge(keyOf(), 3);

    expect(reads).toHaveLength(1);
  });

  it('counts on from the database when it is back, each request once', async () => {
    const { clock, rows, database, charge, write, usedInMonth } = openLimiter();
    const other = keyOf({ id: 'key_2' });
    rows.push(use('2026-11-19', 30), use('2026-11-19', 7, 'key_2'));
    database.isAway = true;
    await charge(keyOf(), 2);
    await charge(other);
    await write();
    await charge(keyOf(), 4);

    database.isAway = false;
    clock.advance(readAgainMs);

    expect(await usedInMonth(keyOf())).toBe(36);
    expect(await usedInMonth(other)).toBe(8);
  });

  it('reads the month again in the background of a charge', async () => {
    const { clock, rows, database, limiter, charge } = openLimiter();
    const key = keyOf({ quota: 30 });
    rows.push(use('2026-11-19', 30));
    database.isAway = true;
    await charge(key);
    database.isAway = false;
    clock.advance(readAgainMs);

    expect(limiter.charge(key)).toBeUndefined();
    await expect.poll(async () => charge(key)).toEqual(['quotaExceeded']);
  });

  it('keeps its counts if the database is still away', async () => {
    const { clock, reads, database, charge, usedInMonth } = openLimiter();
    database.isAway = true;
    await charge(keyOf(), 2);

    clock.advance(readAgainMs);

    expect(await usedInMonth(keyOf())).toBe(2);
    expect(await usedInMonth(keyOf())).toBe(2);
    expect(reads).toHaveLength(2);
  });

  it('counts requests that are charged while it reads', async () => {
    const { rows, clock, database, charge, usedInMonth } = openLimiter();
    rows.push(use('2026-11-19', 30));
    database.isAway = true;
    await charge(keyOf(), 2);
    const gate = Promise.withResolvers<void>();
    Object.assign(database, { isAway: false, ready: gate.promise });
    clock.advance(readAgainMs);

    const reading = usedInMonth(keyOf());
    await charge(keyOf(), 3);
    gate.resolve();

    expect(await reading).toBe(35);
  });

  it('counts the charges of several days of the month', async () => {
    const { clock, database, charge, usedInMonth } = openLimiter();
    database.isAway = true;
    await charge(keyOf(), 2);
    clock.advance(86_400_000);
    await charge(keyOf(), 3);

    database.isAway = false;
    clock.advance(readAgainMs);

    expect(await usedInMonth(keyOf())).toBe(5);
  });
});

describe('counting when an outage of Redis begins or ends', () => {
  it('reads the month again, and once more when other processes have written', async () => {
    const { clock, rows, redis, reads, usedInMonth } = openLimiter();
    rows.push(use('2026-11-19', 5));
    await usedInMonth(keyOf());

    redis.epoch += 1;
    rows.push(use('2026-11-20', 10));
    expect(await usedInMonth(keyOf())).toBe(15);
    rows.push(use('2026-11-20', 20));
    expect(await usedInMonth(keyOf())).toBe(15);
    clock.advance(readAgainMs);

    expect(await usedInMonth(keyOf())).toBe(35);
    clock.advance(readAgainMs);
    await usedInMonth(keyOf());
    expect(reads).toHaveLength(3);
  });

  it('never goes below its own count', async () => {
    const { redis, charge, write, usedInMonth, rows } = openLimiter();
    await charge(keyOf(), 3);
    await write();
    rows.length = 0;

    redis.epoch += 1;

    expect(await usedInMonth(keyOf())).toBe(3);
  });
});

describe('keys in memory', () => {
  it('stay as long as there is room', async () => {
    const { clock, reads, charge } = openLimiter();
    await charge(keyOf());
    clock.advance(86_400_000);

    await charge(keyOf());

    expect(reads).toHaveLength(1);
  });

  it('are dropped from 200,000 on if they are idle, and read again later', async () => {
    const { clock, charge, limiter, reads, usedInMonth } = openLimiter();
    const ids = Array.from({ length: 200_000 }, (_, at) => `key_${at}`);
    await Promise.all(ids.map(async (id) => limiter.charge(keyOf({ id }))));
    clock.advance(3_600_000);
    await charge(keyOf({ id: 'key_0' }));
    reads.length = 0;

    await charge(keyOf({ id: 'key_new' }));
    for (const id of ids.slice(0, 3))
      expect(await usedInMonth(keyOf({ id }))).toBe(id === 'key_0' ? 2 : 1);

    expect(reads.map((read) => read.split(' ')[0])).toEqual(['key_new', 'key_1', 'key_2']);
  });
});
