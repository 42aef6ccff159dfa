import { describe, expect, it } from 'vitest';
import {
  dailyUse as use,
  limitedKey as keyOf,
  openLimiter,
} from '../../../test/support/open-limiter.ts';
import { quotaOnly, rateOnly } from '../../platform/request-cost.ts';

describe('Limiter.charge with different costs for both limits (rule K10)', () => {
  it('counts a request against one of the limits only, also if the other is used up (rule K10)', async () => {
    const { clock, charge, rows, write, usedInMonth } = openLimiter();
    const key = keyOf({ rateLimit: 3, quota: 2 });
    const before = await charge(key);

    expect(before).toEqual(['ok']);
    expect(await charge(key, 3, rateOnly)).toEqual(['ok', 'ok', 'rateLimited']);
    expect(await charge(key, 2, quotaOnly(1))).toEqual(['ok', 'quotaExceeded']);
    expect(await usedInMonth(key)).toBe(2);
    clock.advance(60_000);
    expect(await charge(key)).toEqual(['quotaExceeded']);
    expect(await charge(key, 4, rateOnly)).toEqual(['ok', 'ok', 'ok', 'rateLimited']);
    await write();
    expect(rows).toEqual([use('2026-11-20', 2)]);
  });
});
