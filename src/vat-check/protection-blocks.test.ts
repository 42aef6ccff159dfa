import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls, timedOut } from '../../test/vat-check/support/held-calls.ts';
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

  it.each(['blocked', 'forbidden', 'tooManyRequests', 'webPage'] as const)(
    'opens for a minute after 3 times of %s in a row, of whatever Member States',
    async (failure) => {
      const calls = new HeldCalls();

      for (const state of ['AT', 'BE', 'BG'] as const) {
        expect(calls.protection.block.state).toBe('closed');
        await calls.sendRequest(state, { kind: 'failed', failure });
      }

      expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(60));
      expect(calls.protection.roomForBackground('DE')).toBe(0);
    },
  );

  it.each<[string, Outcome, boolean]>([
    ['an answer', answered, false],
    ['a fault of a Member State', down, false],
    ['a refusal of one number', { kind: 'failed', failure: 'numberBlocked' }, false],
    // Silence says nothing about a block.
    ['a call without an answer', timedOut, true],
    ['a call that does not reach it', { kind: 'failed', failure: 'unreachable' }, true],
  ])('counts on after %s: %s', async (_, between, isOpen) => {
    const calls = new HeldCalls();

    await calls.sendRequest('DE', blocked, 2);
    await calls.sendRequest('DE', between);
    await calls.sendRequest('DE', blocked);

    expect(calls.protection.block.state).toBe(isOpen ? 'open' : 'closed');
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

  it('is not changed by calls under way, neither when it opens nor when it closes', async () => {
    const calls = new HeldCalls();
    await calls.begin('AT', 4);
    await calls.begin('BE', 3);
    await calls.sendRequest('DE', blocked, 3);

    await calls.end(answered, 2);
    await calls.end(blocked, 2);
    expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(60));
    calls.timers.advance(minuteMs);
    await calls.sendRequest('FR', answered);
    await calls.end(blocked, 3);

    expect(calls.protection.block.state).toBe('closed');
  });

  it('makes another trial after a minute if one got no answer', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', blocked, 3);
    calls.timers.advance(minuteMs);

    await calls.sendRequest('FR', timedOut);

    expect(await calls.sendRequest('FR', answered)).toEqual(blockedFor(60));
    calls.timers.advance(minuteMs);
    expect(await calls.sendRequest('FR', answered)).toEqual(called(answered));
  });
});
