import { describe, expect, it } from 'vitest';
import { answered, called, HeldCalls, timedOut } from '../../test/vat-check/support/held-calls.ts';
import type { Outcome } from './outcome.ts';
import type { Protected } from './protection.ts';

const down: Outcome = { kind: 'memberStateUnavailable', because: 'down' };

describe('the breaker of a Member State (contract C24)', () => {
  const refusedFor = (retryAfterSeconds: number): Protected => ({
    kind: 'refused',
    by: 'memberState',
    retryAfterSeconds,
  });

  it.each([
    ['being down', down],
    ['throttling', { kind: 'memberStateUnavailable', because: 'throttled' }],
    ['not answering in time', timedOut],
  ] as const)('opens after 10 times of %s in a row, for 30 s', async (_, outcome) => {
    const calls = new HeldCalls();

    await calls.sendRequest('DE', outcome, 9);
    expect(calls.protection.breakerOf('DE')).toBe('closed');
    expect(await calls.sendRequest('DE', outcome)).toEqual(called(outcome));

    expect(calls.protection.breakerOf('DE')).toBe('open');
    expect(await calls.sendRequest('DE', answered)).toEqual(refusedFor(30));
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

  it('starts counting at 0 after an answer', async () => {
    const calls = new HeldCalls();

    await calls.sendRequest('DE', down, 9);
    await calls.sendRequest('DE', answered);
    await calls.sendRequest('DE', down, 9);

    expect(calls.protection.breakerOf('DE')).toBe('closed');
  });

  it('does not stop calls to other Member States', async () => {
    const calls = new HeldCalls();

    await calls.sendRequest('DE', down, 10);

    expect(await calls.sendRequest('FR', answered)).toEqual(called(answered));
    expect(calls.protection.breakerOf('FR')).toBe('closed');
    expect(calls.protection.serviceBreaker).toBe('closed');
  });

  it.each([
    [1, 30],
    [1_000, 29],
    [17_700, 13],
    [29_000, 1],
    [29_999, 1],
  ])('refuses %i ms after it opened with a wait of %i s', async (afterMs, seconds) => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', down, 10);

    calls.timers.advance(afterMs);

    expect(await calls.sendRequest('DE', answered)).toEqual(refusedFor(seconds));
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

  it('is not closed by a trial that the service refuses', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', down, 10);
    calls.timers.advance(20_000);
    await calls.sendRequest('FR', { kind: 'serviceUnavailable', because: 'down' }, 10);
    calls.timers.advance(11_000);

    expect(await calls.sendRequest('DE', answered)).toMatchObject({
      kind: 'refused',
      by: 'service',
    });

    expect(calls.protection.breakerOf('DE')).toBe('open');
  });

  it('stays open for another 30 s if the trial fails', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('DE', down, 10);
    calls.timers.advance(31_000);
    const running = await calls.begin('DE', 10);

    await calls.end(timedOut);

    expect(calls.inFlight).toHaveLength(0);
    expect(await running()).toEqual([
      called(timedOut),
      ...Array.from({ length: 9 }, () => refusedFor(5)),
    ]);
    calls.timers.advance(29_999);
    expect(await calls.sendRequest('DE', answered)).toEqual(refusedFor(1));
  });

  it('stays open if the time of the trial runs out before its call, and the next call is the trial', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('FR', down, 10);
    calls.timers.advance(30_000);
    for (const state of ['AT', 'BE', 'BG', 'CY', 'CZ'] as const) await calls.begin(state, 4);
    const deadline = new AbortController();
    const waiting = await calls.begin('FR', 1, deadline);

    deadline.abort();
    expect(await waiting()).toEqual([{ kind: 'cancelled' }]);
    expect(calls.protection.breakerOf('FR')).toBe('open');
    const next = await calls.begin('FR', 10);
    await calls.end(answered, 20);

    expect(calls.inFlight.map(({ state }) => state)).toEqual(['FR']);
    expect(calls.protection.breakerOf('FR')).toBe('half-open');
    expect(await next(1)).toEqual(Array.from({ length: 9 }, () => refusedFor(5)));
    await calls.end(down);
    expect(calls.protection.breakerOf('FR')).toBe('open');
    expect(await calls.sendRequest('FR', answered)).toEqual(refusedFor(30));
  });

  it('refuses the calls that wait for a place of the service when it opens', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('FR', down, 9);
    const first = await calls.begin('FR', 1);
    for (const state of ['AT', 'BE', 'BG', 'CY', 'CZ'] as const) await calls.begin(state, 4);
    const waiting = await calls.begin('FR', 3);

    await calls.end(down);

    expect(await first()).toEqual([called(down)]);
    await calls.end(answered, 20);
    expect(await waiting()).toEqual([refusedFor(30), refusedFor(30), refusedFor(30)]);
  });

  it('does not count calls whose time ran out while they waited for a place of the service', async () => {
    const calls = new HeldCalls();
    for (const state of ['AT', 'BE', 'BG', 'CY', 'CZ'] as const) await calls.begin(state, 4);

    for (let round = 0; round < 3; round += 1) {
      const deadline = new AbortController();
      const waiting = await calls.begin('FR', 4, deadline);
      deadline.abort();
      await calls.end(answered);
      expect(await waiting()).toEqual(Array.from({ length: 4 }, () => ({ kind: 'cancelled' })));
      await calls.begin('AT', 1);
    }

    expect(calls.protection.breakerOf('FR')).toBe('closed');
  });
});

describe('the breaker of the service (contract C24)', () => {
  it.each([
    ['being down', { kind: 'serviceUnavailable', because: 'down' }],
    ['throttling', { kind: 'serviceUnavailable', because: 'throttled' }],
    ['not being reached', { kind: 'failed', failure: 'unreachable' }],
  ] as const)('opens after 10 times of %s, for all Member States', async (_, outcome) => {
    const calls = new HeldCalls();

    await calls.sendRequest('AT', outcome, 5);
    await calls.sendRequest('BE', outcome, 5);

    expect(calls.protection.serviceBreaker).toBe('open');
    expect(await calls.sendRequest('FR', answered)).toEqual({
      kind: 'refused',
      by: 'service',
      retryAfterSeconds: 30,
    });
    expect(calls.protection.breakerOf('AT')).toBe('closed');
  });

  it('does not open for failures of Member States, however many', async () => {
    const calls = new HeldCalls();

    for (const state of ['AT', 'BE', 'BG'] as const) {
      await calls.sendRequest(state, down, 10);
      await calls.sendRequest(state, timedOut, 10);
    }

    expect(calls.protection.serviceBreaker).toBe('closed');
  });

  it('lets one trial pass after 30 s, to any Member State', async () => {
    const calls = new HeldCalls();
    await calls.sendRequest('AT', { kind: 'serviceUnavailable', because: 'down' }, 10);
    calls.timers.advance(30_000);

    await calls.begin('FR', 2);
    const others = await calls.begin('DE', 2);

    expect(calls.inFlight).toHaveLength(1);
    expect(await others()).toMatchObject([
      { kind: 'refused', by: 'service', retryAfterSeconds: 5 },
      { kind: 'refused', by: 'service', retryAfterSeconds: 5 },
    ]);
    await calls.end(answered);
    expect(calls.protection.serviceBreaker).toBe('closed');
    expect(await calls.sendRequest('DE', answered)).toEqual(called(answered));
  });
});
