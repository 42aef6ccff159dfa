import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../test/vat-check/support/held-calls.ts';
import type { Outcome } from './outcome.ts';
import type { Protected } from './protection.ts';

const down: Outcome = { kind: 'memberStateUnavailable', because: 'down' };

describe('the breaker of the whole registry for blocks (rule K21)', () => {
  const blocked: Outcome = { kind: 'failed', failure: 'blocked' };
  const minuteMs = 60_000;
  const blockedFor = (retryAfterSeconds: number): Protected => ({
    kind: 'refused',
    by: 'service',
    retryAfterSeconds,
  });

  it.each([
    [undefined, 60],
    [5, 60],
    [7_200, 7_200],
    [1_000_000, 86_400],
  ])('with a Retry-After of %s opens for %i s', async (retryAfterSeconds, seconds) => {
    const calls = new HeldCalls();
    const named = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };

    await calls.sendRequest('DE', { kind: 'failed', failure: 'tooManyRequests', ...named }, 3);

    expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(seconds));
  });

  it('lets one call try, and doubles the time up to an hour until one is answered', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', blocked, 3);

    for (const [minutes, next] of [
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 16],
      [16, 32],
      [32, 60],
      [60, 60],
    ] as const) {
      calls.timers.advance(minutes * minuteMs - 1);
      expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(1));
      calls.timers.advance(1);
      const others = await calls.begin('FR', 5);
      expect(calls.inFlight).toHaveLength(1);
      await calls.end(blocked);
      expect(await others(1)).toEqual(Array.from({ length: 4 }, () => blockedFor(5)));
      expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(next * 60));
    }
    calls.timers.advance(60 * minuteMs);
    expect(await calls.sendRequest('FR', down)).toEqual(called(down));
    expect(await calls.sendRequest('FR', answered, 2)).toEqual(called(answered));
  });
});
