import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../test/vat-check/support/held-calls.ts';
import type { Protected } from './protection.ts';

const inTime = { deadlineAtMs: Infinity, signal: new AbortController().signal };

describe('the places of a Member State (contract C24)', () => {
  it('are 4 in flight and 32 waiting; who comes then is refused by it, for 5 s', async () => {
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

  it('are taken in the order of asking', async () => {
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

  it('are nothing to another one', async () => {
    const calls = new HeldCalls();
    await calls.begin('DE', 38);

    expect(await calls.ask('FR', answered)).toEqual(called(answered));
  });

  it('are 20 in flight for all of them', async () => {
    const calls = new HeldCalls();

    for (const state of ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK'] as const) {
      await calls.begin(state, 10);
    }

    expect(calls.inFlight).toHaveLength(20);
    await calls.end(answered, 3);
    expect(calls.inFlight).toHaveLength(20);
  });

  it('are given back when a call throws', async () => {
    const calls = new HeldCalls();
    const bug = new TypeError('a bug');

    for (let call = 0; call < 30; call += 1) {
      const running = calls.protection.run('DE', inTime, async () => Promise.reject(bug));
      await expect(running).rejects.toBe(bug);
    }

    await calls.begin('DE', 5);
    expect(calls.inFlight).toHaveLength(4);
  });

  it('are not for somebody whose time ran out while waiting', async () => {
    const calls = new HeldCalls();
    const deadline = new AbortController();
    await calls.begin('DE', 4);
    const waiting = await calls.begin('DE', 1, deadline.signal);

    deadline.abort();
    await calls.end(answered, 4);

    expect(await waiting()).toEqual([{ kind: 'cancelled' }]);
    expect(calls.inFlight).toHaveLength(0);
  });
});
