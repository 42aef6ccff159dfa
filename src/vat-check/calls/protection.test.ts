import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../../test/vat-check/support/held-calls.ts';
import type { Protected } from './protection.ts';

const inTime = { keyId: 'key_1', deadlineAtMs: Infinity, signal: new AbortController().signal };

describe('the places of a Member State (contract C24)', () => {
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
});
