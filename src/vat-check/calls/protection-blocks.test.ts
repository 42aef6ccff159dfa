import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../../test/vat-check/support/held-calls.ts';
import type { Outcome } from '../registries/outcome.ts';
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
  ])(
    'with a Retry-After of the registry of %s opens for %i s',
    async (retryAfterSeconds, seconds) => {
      const calls = new HeldCalls();
      const named =
        retryAfterSeconds === undefined ? {} : { retryAfterSeconds, isOfRegistry: true as const };

      await calls.sendRequest('DE', { kind: 'failed', failure: 'tooManyRequests', ...named }, 3);

      expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(seconds));
    },
  );

  it('takes a Retry-After of a page for at most the own step of the doubling', async () => {
    const calls = new HeldCalls();
    const ofPage = { kind: 'failed', failure: 'webPage', retryAfterSeconds: 86_400 } as const;

    await calls.sendRequest('DE', ofPage, 3);

    expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(60));
    calls.timers.advance(minuteMs);
    const first = await calls.begin('FR', 1);
    await calls.end(ofPage);
    expect(await first()).toEqual([blockedFor(120)]);
  });

  it('asks one question of the service, and doubles the time up to an hour until it is answered', async () => {
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
      expect(calls.inFlight).toMatchObject([{ state: 'own' }]);
      await calls.end(blocked);
      expect(await others(1)).toEqual(Array.from({ length: 4 }, () => blockedFor(5)));
      expect(await others(0, 1)).toEqual([blockedFor(next * 60)]);
      expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(next * 60));
    }
    calls.timers.advance(60 * minuteMs);
    const first = await calls.begin('FR', 1);
    await calls.end(down);
    await calls.end(answered);
    expect(await first()).toEqual([called(answered)]);
    expect(await calls.sendRequest('FR', answered, 2)).toEqual(called(answered));
  });
});
