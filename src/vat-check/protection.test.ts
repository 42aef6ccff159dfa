import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../test/vat-check/support/held-calls.ts';
import type { Outcome } from './outcome.ts';
import type { Protected } from './protection.ts';

const inTime = { keyId: 'key_1', deadlineAtMs: Infinity, signal: new AbortController().signal };

describe('the places of a Member State (contract C24)', () => {
  it('are 4 in flight and 32 waiting; a further call is refused for 5 s', async () => {
    const calls = new HeldCalls();

    const running = await calls.begin('DE', 38);

    expect(calls.inFlight).toHaveLength(4);
    const refused: Protected = { kind: 'refused', by: 'memberState', retryAfterSeconds: 5 };
    expect(await running(36)).toEqual([refused, refused]);
    await calls.end(answered, 4);
    expect(calls.inFlight).toHaveLength(4);
    while (calls.inFlight.length > 0) await calls.end(answered);
    expect(await running(0, 36)).toEqual(Array.from({ length: 36 }, () => called(answered)));
  });

  it('are taken in the order of the calls', async () => {
    const calls = new HeldCalls();
    await calls.begin('DE', 4);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (place) => {
      const call = async () => {
        order.push(place);
        return Promise.resolve(answered);
      };
      return calls.protection.run('DE', inTime, call);
    });

    await calls.end(answered, 4);
    await Promise.all(waiting);

    expect(order).toEqual([1, 2, 3]);
  });

  it('are 8 waiting for one key; it is then refused, and other keys can still wait', async () => {
    const calls = new HeldCalls();
    const busy = await calls.begin('DE', 14, { keyId: 'key_busy' });

    const refused: Protected = { kind: 'refused', by: 'memberState', retryAfterSeconds: 5 };
    expect(await busy(12)).toEqual([refused, refused]);
    const others = await calls.begin('DE', 25);
    expect(await others(24)).toEqual([refused]);

    while (calls.inFlight.length > 0) await calls.end(answered);
    expect([...(await busy(0, 12)), ...(await others(0, 24))]).toEqual(
      Array.from({ length: 36 }, () => called(answered)),
    );
  });

  it('go to the keys in turn, however many calls of one of them wait', async () => {
    const calls = new HeldCalls();
    await calls.begin('DE', 4, { keyId: 'key_busy' });
    const order: string[] = [];
    const wait = (keyId: string) => {
      const call = async () => {
        order.push(keyId);
        return Promise.resolve(answered);
      };
      return calls.protection.run('DE', { ...inTime, keyId }, call);
    };
    const waiting = ['busy', 'busy', 'busy', 'other', 'busy', 'third', 'other'].map(wait);

    await calls.end(answered);
    await Promise.all(waiting);

    expect(order).toEqual(['busy', 'other', 'third', 'busy', 'other', 'busy', 'busy']);
  });

  it('do not count for another Member State', async () => {
    const calls = new HeldCalls();
    await calls.begin('DE', 38);

    expect(await calls.sendRequest('FR', answered)).toEqual(called(answered));
  });

  it('are 20 in flight for all Member States together', async () => {
    const calls = new HeldCalls();

    for (const state of ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK'] as const) {
      await calls.begin(state, 10);
    }

    expect(calls.inFlight).toHaveLength(20);
    await calls.end(answered, 3);
    expect(calls.inFlight).toHaveLength(20);
  });

  it('are given back if a call throws', async () => {
    const calls = new HeldCalls();
    const bug = new TypeError('a bug');

    for (let call = 0; call < 30; call += 1) {
      const running = calls.protection.run('DE', inTime, async () => Promise.reject(bug));
      await expect(running).rejects.toBe(bug);
    }

    await calls.begin('DE', 5);
    expect(calls.inFlight).toHaveLength(4);
  });

  it('are not given to a call whose time ran out while it waited', async () => {
    const calls = new HeldCalls();
    const deadline = new AbortController();
    await calls.begin('DE', 4);
    const waiting = await calls.begin('DE', 1, deadline);

    deadline.abort();
    await calls.end(answered, 4);

    expect(await waiting()).toEqual([{ kind: 'cancelled' }]);
    expect(calls.inFlight).toHaveLength(0);
  });
});

describe('a key with 9 checks a second of a slow Member State (contract C24)', () => {
  it('does not delay the checks of another key, one a second', async () => {
    const { protection, timers } = new HeldCalls();
    const results: { readonly keyId: string; readonly kind: string }[] = [];
    const check = async (keyId: string): Promise<void> => {
      const deadline = new AbortController();
      const cancel = timers.after(10_000, () => deadline.abort());
      const within = { keyId, deadlineAtMs: timers.now() + 10_000, signal: deadline.signal };
      const { promise: slowly, resolve } = Promise.withResolvers<Outcome>();
      const { kind } = await protection.run('DE', within, async () => {
        timers.after(2_000, () => resolve(answered));
        return slowly;
      });
      cancel();
      results.push({ keyId, kind });
    };

    for (let second = 0; second < 60; second += 1) {
      for (let at = 0; at < 9; at += 1) {
        if (second < 30) void check('key_busy');
        if (second < 30 && at === 8) void check('key_other');
        timers.advance(111);
        await turn();
      }
    }

    const callsOf = (keyId: string): number =>
      results.filter((result) => result.keyId === keyId && result.kind === 'called').length;
    expect(results).toHaveLength(30 * 10);
    expect(callsOf('key_other')).toBe(30);
    expect(callsOf('key_busy')).toBeGreaterThan(30);
  });
});
