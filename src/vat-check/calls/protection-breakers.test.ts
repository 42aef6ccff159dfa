import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls } from '../../../test/vat-check/support/held-calls.ts';
import type { Outcome } from '../registries/outcome.ts';
import type { Protected } from './protection.ts';

const down: Outcome = { kind: 'memberStateUnavailable', because: 'down' };

describe('the breaker of a Member State (contract C24)', () => {
  const refusedFor = (retryAfterSeconds: number): Protected => ({
    kind: 'refused',
    by: 'memberState',
    retryAfterSeconds,
  });

  it.each<[string, Outcome]>([
    ['answers', answered],
    ['rejected numbers', { kind: 'rejected' }],
    ['unknown codes', { kind: 'failed', failure: 'unknownCode' }],
    ['answers that cannot be read', { kind: 'failed', failure: 'unreadable' }],
    ['refusals of a number', { kind: 'failed', failure: 'numberBlocked' }],
  ])('does not open for %s, nor does that of the service', async (_, outcome) => {
    const calls = new HeldCalls();

    await calls.sendRequest('DE', outcome, 30);

    expect(calls.protection.breakerOf('DE')).toBe('closed');
    expect(calls.protection.serviceBreaker).toBe('closed');
  });

  it('refuses the waiting calls when it opens', async () => {
    const calls = new HeldCalls();
    const running = await calls.begin('DE', 20);

    await calls.end(down, 4);
    await calls.end(down, 4);
    await calls.end(down, 4);

    expect(calls.inFlight).toHaveLength(0);
    expect(await running(12)).toEqual(Array.from({ length: 8 }, () => refusedFor(30)));
  });

  it('lets one trial pass after 30 s, refuses other calls immediately, and closes when the trial is answered', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', down, 10);
    calls.timers.advance(30_000);

    const running = await calls.begin('DE', 10);

    expect(calls.inFlight).toHaveLength(1);
    expect(calls.protection.breakerOf('DE')).toBe('half-open');
    await calls.end(answered);
    expect(calls.protection.breakerOf('DE')).toBe('closed');
    expect(await running()).toEqual([
      called(answered),
      ...Array.from({ length: 9 }, () => refusedFor(5)),
    ]);
    expect(await calls.sendRequest('DE', answered)).toEqual(called(answered));
  });
});
