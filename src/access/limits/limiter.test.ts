import { describe, expect, it } from 'vitest';
import {
  dailyUse as use,
  limitedKey as keyOf,
  openLimiter,
} from '../../../test/support/open-limiter.ts';

const count = (outcomes: readonly string[], of: string): number =>
  outcomes.filter((outcome) => outcome === of).length;

describe('Limiter.charge (contract C26)', () => {
  it('admits the rate limit in a minute', async () => {
    const { clock, charge } = openLimiter();
    const key = keyOf({ rateLimit: 2 });
    await charge(key, 2);

    clock.advance(59_999);

    expect(await charge(key)).toEqual(['rateLimited']);
    clock.advance(1);
    expect(await charge(key, 3)).toEqual(['ok', 'ok', 'rateLimited']);
  });

  it('admits the quota in a month, which includes written use', async () => {
    const { rows, charge } = openLimiter();
    rows.push(use('2026-11-01', 4), use('2026-11-20', 3));
    rows.push(use('2026-10-31', 50), use('2026-11-20', 50, 'key_2'));

    expect(await charge(keyOf({ quota: 9 }), 3)).toEqual(['ok', 'ok', 'quotaExceeded']);
  });

  it('admits a request that counts as several only if all of them fit', async () => {
    const { clock, charge, usedInMonth } = openLimiter();
    const key = keyOf({ rateLimit: 10, quota: 17 });

    expect(await charge(key, 3, 4)).toEqual(['ok', 'ok', 'rateLimited']);
    expect(await charge(key, 3)).toEqual(['ok', 'ok', 'rateLimited']);
    clock.advance(60_000);
    expect(await charge(key, 2, 4)).toEqual(['ok', 'quotaExceeded']);
    expect(await usedInMonth(key)).toBe(14);
  });

  it('reports when there is room for all that a request counts as', async () => {
    const { clock, charge, limiter } = openLimiter();
    const key = keyOf({ rateLimit: 10 });
    await charge(key, 5);
    clock.advance(20_000);
    await charge(key, 5);

    expect(limiter.charge(key, 5)).toMatchObject({ retryAfterSeconds: 40 });
    expect(limiter.charge(key, 6)).toMatchObject({ retryAfterSeconds: 60 });
    expect(limiter.charge(key, 11)).toMatchObject({ retryAfterSeconds: 60 });
  });

  it('names the limit that was reached', async () => {
    const { limiter, charge } = openLimiter();
    const key = keyOf({ rateLimit: 2 });
    await charge(key, 2);

    expect(limiter.charge(key)).toEqual({
      kind: 'rateLimited',
      policy: 'rate-limit',
      limit: 2,
      windowSeconds: 60,
      retryAfterSeconds: 60,
    });
  });

  it('reports the rate limit before the quota (contract C3)', async () => {
    const { clock, charge } = openLimiter();
    const key = keyOf({ rateLimit: 2, quota: 2 });

    expect(await charge(key, 3)).toEqual(['ok', 'ok', 'rateLimited']);
    clock.advance(60_000);
    expect(await charge(key)).toEqual(['quotaExceeded']);
  });

  it.each([
    ['the rate limit', 600, keyOf({ rateLimit: 'default' })],
    ['no rate limit', 700, keyOf()],
    ['the quota', 5, keyOf({ quota: 'default' })],
  ])('takes %s of the service for a key without its own', async (_, letThrough, key) => {
    const { rows, charge } = openLimiter();
    rows.push(use('2026-11-19', 99_995));

    expect(count(await charge(key, 700), 'ok')).toBe(letThrough);
  });

  it('charges nothing for refused requests', async () => {
    const { clock, charge, usedInMonth, ledger } = openLimiter();
    const key = keyOf({ rateLimit: 3 });
    await charge(key, 3);
    clock.advance(30_000);

    await charge(key, 1_000);

    expect(await usedInMonth(key)).toBe(3);
    expect(ledger.listUnwritten()).toEqual([use('2026-11-20', 3)]);
    clock.advance(30_000);
    expect(await charge(key, 4)).toEqual(['ok', 'ok', 'ok', 'rateLimited']);
  });

  it('follows a raised or lowered limit immediately', async () => {
    const { charge } = openLimiter();

    expect(await charge(keyOf({ rateLimit: 2 }), 3)).toEqual(['ok', 'ok', 'rateLimited']);
    expect(await charge(keyOf({ rateLimit: 4 }), 3)).toEqual(['ok', 'ok', 'rateLimited']);
    expect(await charge(keyOf({ rateLimit: 3 }))).toEqual(['rateLimited']);
    expect(await charge(keyOf({ quota: 4 }))).toEqual(['quotaExceeded']);
    expect(await charge(keyOf({ quota: 5 }), 2)).toEqual(['ok', 'quotaExceeded']);
    expect(await charge(keyOf(), 2)).toEqual(['ok', 'ok']);
  });

  it('reads the month once, however many first charges come together', async () => {
    const { rows, reads, charge } = openLimiter();
    rows.push(use('2026-11-19', 900));

    const outcomes = await charge(keyOf({ quota: 1_000 }), 2_000);

    expect(count(outcomes, 'ok')).toBe(100);
    expect(reads).toEqual(['key_1 2026-11-20']);
  });

  it('decides synchronously if it knows the month', async () => {
    const { reads, limiter, charge } = openLimiter();
    const key = keyOf();
    await charge(key);

    expect(limiter.charge(key)).toBeUndefined();
    expect(reads).toHaveLength(1);
  });

  it('is exact for each of several keys that are charged in turn', async () => {
    const { charge, write, rows } = openLimiter();
    const keys = [100, 300, 1_000].map((rateLimit) => keyOf({ id: `key_${rateLimit}`, rateLimit }));

    const outcomes = await Promise.all(
      Array.from({ length: 6_000 }, async (_, at) => {
        const key = keys[at % 3] ?? keyOf();
        return `${key.id} ${(await charge(key)).join()}`;
      }),
    );
    await write();

    expect(keys.map(({ id }) => count(outcomes, `${id} ok`))).toEqual([100, 300, 1_000]);
    expect(rows).toEqual(
      [100, 300, 1_000].map((charged) => use('2026-11-20', charged, `key_${charged}`)),
    );
  });
});

describe('Limiter.charge at the end of a day (contract C26)', () => {
  it('starts the quota again in the next month, and not the minute', async () => {
    const { clock, charge } = openLimiter('2026-11-30T23:59:59.999Z');
    const key = keyOf({ rateLimit: 4, quota: 3 });
    expect(await charge(key, 4)).toEqual(['ok', 'ok', 'ok', 'quotaExceeded']);

    clock.advance(1);

    expect(await charge(key, 2)).toEqual(['ok', 'rateLimited']);
  });

  it('goes on with the quota on the next day of a month', async () => {
    const { clock, reads, charge } = openLimiter('2026-11-29T23:59:59.999Z');
    const key = keyOf({ quota: 3 });
    await charge(key, 2);

    clock.advance(1);

    expect(await charge(key, 2)).toEqual(['ok', 'quotaExceeded']);
    expect(reads).toHaveLength(1);
  });

  it.each([
    ['day', '2026-11-20T23:59:59.999Z', '2026-11-21'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-12-01'],
  ])('keeps unwritten use on the right %s', async (_, at, nextDate) => {
    const { clock, charge, ledger } = openLimiter(at);
    await charge(keyOf(), 2);
    await charge(keyOf({ id: 'key_2' }));

    clock.advance(1);
    await charge(keyOf(), 3);

    const unwritten = ledger.listUnwritten();
    expect(unwritten).toHaveLength(3);
    expect(unwritten).toEqual(
      expect.arrayContaining([
        use(at.slice(0, 10), 2),
        use(at.slice(0, 10), 1, 'key_2'),
        use(nextDate, 3),
      ]),
    );
  });

  it('charges the month in which it answers, if that begins while it reads', async () => {
    const { clock, rows, database, charge, usedInMonth } = openLimiter('2026-11-30T23:59:59.999Z');
    const key = keyOf({ quota: 2 });
    rows.push(use('2026-11-30', 2));
    const gate = Promise.withResolvers<void>();
    database.ready = gate.promise;

    const charged = charge(key);
    clock.advance(1);
    gate.resolve();

    expect(await charged).toEqual(['ok']);
    expect(await usedInMonth(key)).toBe(1);
  });

  it('keeps use if the clock goes back over the end of a month', async () => {
    const { clock, charge, usedInMonth } = openLimiter('2026-12-01T00:00:00.000Z');
    await charge(keyOf(), 2);

    clock.advance(-1);
    await charge(keyOf());
    clock.advance(1);

    expect(await usedInMonth(keyOf())).toBe(2);
  });
});

describe('Limiter.describe (contract C26)', () => {
  it('reports limits, month and use of a key', async () => {
    const { rows, clock, charge, limiter } = openLimiter();
    rows.push(use('2026-11-01', 40));
    await charge(keyOf(), 2);

    const standing = await limiter.describe(keyOf({ rateLimit: 'default', quota: 7 }));

    expect(standing).toMatchObject({
      minuteEndsMs: clock.now() + 60_000,
      rateLimit: 600,
      quota: 7,
      usedInMonth: 42,
      month: { startsMs: Date.parse('2026-11-01'), endsMs: Date.parse('2026-12-01') },
    });
    expect(standing.usedInMinute).toBe(2);
  });

  it('charges nothing, before the first charge and after it', async () => {
    const { charge, usedInMonth, ledger } = openLimiter();
    const key = keyOf({ rateLimit: 1, quota: 1 });

    expect(await usedInMonth(key)).toBe(0);
    expect(ledger.listUnwritten()).toEqual([]);
    expect(await charge(key)).toEqual(['ok']);
    expect(await usedInMonth(key)).toBe(1);
    expect(await usedInMonth(key)).toBe(1);
  });

  it('reads the month once for charges at the same time', async () => {
    const { reads, charge, usedInMonth } = openLimiter();

    await Promise.all([usedInMonth(keyOf()), charge(keyOf(), 10), usedInMonth(keyOf())]);

    expect(reads).toHaveLength(1);
    expect(await usedInMonth(keyOf())).toBe(10);
    expect(reads).toHaveLength(1);
  });

  it('reports the new month after the end of a month', async () => {
    const { clock, charge, limiter } = openLimiter('2026-11-30T23:59:59.999Z');
    await charge(keyOf(), 2);

    clock.advance(1);

    expect(await limiter.describe(keyOf())).toMatchObject({
      usedInMonth: 0,
      month: { startsMs: Date.parse('2026-12-01') },
    });
  });

  it('reports the month in which it answers, if that begins while it reads', async () => {
    const { clock, rows, database, limiter } = openLimiter('2026-11-30T23:59:59.999Z');
    rows.push(use('2026-11-30', 2));
    const gate = Promise.withResolvers<void>();
    database.ready = gate.promise;

    const described = limiter.describe(keyOf());
    clock.advance(1);
    gate.resolve();

    expect(await described).toMatchObject({
      minuteEndsMs: Date.parse('2026-12-01'),
      usedInMonth: 0,
      month: { startsMs: Date.parse('2026-12-01') },
    });
  });
});
