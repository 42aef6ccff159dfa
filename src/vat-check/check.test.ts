import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isPending, ManualTimers } from '../../test/support/manual-timers.ts';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { print, RawRegistry } from '../../test/vat-check/support/raw-registry.ts';
import { answerText, faultText } from '../../test/vat-check/support/vies-texts.ts';
import { createMetrics } from '../platform/metrics.ts';
import { BlockBreaker } from './block-breaker.ts';
import { createVatChecks } from './create-vat-checks.ts';
import type { CheckCaller } from './check.ts';
import { parseVatNumber, type VatNumber } from './vat-number.ts';
import { guardOf } from '../../test/support/clock-guard.ts';

/** A caller whose request has this age. */
const aged = (elapsedMs: number): CheckCaller => ({ keyId: 'key_1', elapsedMs });

const vatNumber = numberOf('AT', 'U99999901');

function numberOf(country: string, vat: string): VatNumber {
  const parsed = parseVatNumber(country, vat);
  if (parsed === undefined) throw new Error(`no VAT number: ${country} ${vat}`);
  return parsed;
}

/**
 * VAT checks against a registry at this address, closed with the test. Time passes for them only if a test advances
 * it, save for the pause before a second call, which takes no time.
 */
function checksAgainst({ url }: RawRegistry, timeoutMs = 5_000) {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const timers = new ManualTimers({ skippedMs: 200 });
  const vat = createVatChecks({
    onStateFault: () => {},
    onCall: () => {},
    block: new BlockBreaker(clock),
    redis: undefined,
    viesUrl: url,
    timeoutMs,
    clock,
    clockGuard: guardOf(clock),
    timers,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  onTestFinished(async () => vat.close());
  return { ...vat, timers };
}

async function untilCalled(registry: RawRegistry, times: number): Promise<void> {
  await vi.waitFor(() => expect(registry.checks).toHaveLength(times), 10_000);
}

const answer = print(200, answerText());
const fault = (code: string): Buffer => print(200, faultText(code));
const timedOut = {
  kind: 'unanswered',
  outcome: { kind: 'timedOut' },
  retryAfterSeconds: 30,
} as const;

describe('equal checks at the same time (contract C24)', () => {
  it('are one call, and all get its result', async () => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const { checks } = checksAgainst(registry);

    const results = await Promise.all(
      Array.from({ length: 50 }, async () => checks.lookUp(vatNumber, aged(0))),
    );

    expect(registry.checks).toHaveLength(1);
    expect(new Set(results).size).toBe(1);
    expect(results[0]).toMatchObject({ kind: 'answered', cached: { maxAgeSeconds: 3_600 } });
  });

  it('are one call also if it fails, and the next check makes a new call', async () => {
    await using registry = await RawRegistry.start((socket) =>
      socket.write(fault('MS_UNAVAILABLE')),
    );
    const { checks } = checksAgainst(registry);

    await Promise.all([checks.lookUp(vatNumber, aged(0)), checks.lookUp(vatNumber, aged(0))]);
    expect(registry.checks).toHaveLength(1);
    await checks.lookUp(vatNumber, aged(0));

    expect(registry.checks).toHaveLength(2);
  });

  it('are one call for Greece by both of its codes', async () => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const { checks } = checksAgainst(registry);

    await Promise.all([
      checks.lookUp(numberOf('GR', '999999901'), aged(0)),
      checks.lookUp(numberOf('EL', '999999901'), aged(0)),
    ]);

    expect(registry.checks).toHaveLength(1);
  });

  it('are several calls if the numbers differ', async () => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const { checks } = checksAgainst(registry);

    await Promise.all([
      checks.lookUp(vatNumber, aged(0)),
      checks.lookUp(numberOf('AT', 'U99999902'), aged(0)),
    ]);

    expect(registry.checks).toHaveLength(2);
  });
});

describe('the cache of answers (contract C23)', () => {
  it.each([['true'], ['false']])('keeps the answer %s', async (valid) => {
    const bytes = print(200, answerText({ valid }));
    await using registry = await RawRegistry.start((socket) => socket.write(bytes));
    const { checks } = checksAgainst(registry);

    expect(checks.findCached(vatNumber)).toBeUndefined();
    await checks.lookUp(vatNumber, aged(0));

    expect(checks.findCached(vatNumber)?.text).toContain(`"valid":${valid}`);
  });

  it.each([
    ['a rejection', fault('INVALID_INPUT'), 'rejected', 30],
    ['a Member State that is down', fault('MS_UNAVAILABLE'), 'memberStateUnavailable', 60],
    ['a Member State that throttles', fault('MS_MAX_CONCURRENT_REQ'), 'memberStateUnavailable', 10],
    ['a service that is down', fault('SERVICE_UNAVAILABLE'), 'serviceUnavailable', 60],
    ['a service that throttles', fault('GLOBAL_MAX_CONCURRENT_REQ'), 'serviceUnavailable', 10],
    ['a timeout of the registry', fault('TIMEOUT'), 'timedOut', 30],
    ['a refusal', fault('IP_BLOCKED'), 'failed', 30],
    ['an unknown code', fault('NEW_CODE'), 'failed', 30],
    ['a web page', print(200, '<html/>', { 'Content-Type': 'text/html' }), 'failed', 30],
    ['half an answer', print(200, answerText().slice(0, 300)), 'failed', 30],
  ])('never keeps %s', async (_, bytes, kind, retryAfterSeconds) => {
    await using registry = await RawRegistry.start((socket) => socket.write(bytes));
    const { checks } = checksAgainst(registry, 1_400);

    const result = await checks.lookUp(vatNumber, aged(0));

    expect(result).toMatchObject({ kind: 'unanswered', outcome: { kind }, retryAfterSeconds });
    expect(checks.findCached(vatNumber)).toBeUndefined();
  });
});

describe('a second call (contract C24)', () => {
  it('is made if the connection broke, and its answer counts', async () => {
    await using registry = await RawRegistry.start((socket) => {
      if (registry.checks.length === 1) socket.destroy();
      else socket.write(answer);
    });
    const { checks } = checksAgainst(registry);

    expect(await checks.lookUp(vatNumber, aged(0))).toMatchObject({ kind: 'answered' });
    expect(registry.checks).toHaveLength(2);
  });

  it.each([
    ['broke', 'unreachable', ''],
    ['broke in the middle of the answer', 'unreadable', answer.subarray(0, -1)],
  ])('is the last one if the connection %s again', async (_, failure, bytes) => {
    await using registry = await RawRegistry.start((socket) => socket.end(bytes));
    const { checks } = checksAgainst(registry);

    expect(await checks.lookUp(vatNumber, aged(0))).toMatchObject({
      outcome: { kind: 'failed', failure },
    });
    expect(registry.checks).toHaveLength(2);
  });

  it.each([
    ['an answer', answer],
    ['a rejection', fault('INVALID_INPUT')],
    ['MS_MAX_CONCURRENT_REQ', fault('MS_MAX_CONCURRENT_REQ')],
    ['MS_MAX_CONCURRENT_REQ_TIME', fault('MS_MAX_CONCURRENT_REQ_TIME')],
    ['GLOBAL_MAX_CONCURRENT_REQ', fault('GLOBAL_MAX_CONCURRENT_REQ')],
    ['GLOBAL_MAX_CONCURRENT_REQ_TIME', fault('GLOBAL_MAX_CONCURRENT_REQ_TIME')],
    ['SERVER_BUSY', fault('SERVER_BUSY')],
    ['IP_BLOCKED', fault('IP_BLOCKED')],
    ['MS_UNAVAILABLE', fault('MS_UNAVAILABLE')],
    ['TIMEOUT', fault('TIMEOUT')],
    ['an unknown code', fault('NEW_CODE')],
    ['a web page', print(200, '<html/>', { 'Content-Type': 'text/html' })],
    ['an answer that cannot be read', print(200, '<x/>')],
    ['HTTP 503', print(503, 'busy')],
  ])('is not made after %s', async (_, bytes) => {
    await using registry = await RawRegistry.start((socket) => socket.write(bytes));
    const { checks } = checksAgainst(registry);

    await checks.lookUp(vatNumber, aged(0));

    expect(registry.checks).toHaveLength(1);
  });

  it.each([
    ['made if 1.5 s are left', 8_500, 2],
    ['not made if less than 1.5 s are left', 8_501, 1],
  ])('is %s', async (_, elapsedMs, calls) => {
    await using registry = await RawRegistry.start((socket) => void socket.destroy());
    const { checks } = checksAgainst(registry, 10_000);

    await checks.lookUp(vatNumber, aged(elapsedMs));

    expect(registry.checks).toHaveLength(calls);
  });

  it('is made 10 times, and then once in ten calls, if every connection breaks', async () => {
    await using registry = await RawRegistry.start((socket) => void socket.destroy());
    const { checks } = checksAgainst(registry);
    const states = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES', 'FI', 'FR', 'HR'];

    await Promise.all(states.map(async (state) => checks.lookUp(numberOf(state, '99'), aged(0))));

    expect(registry.checks).toHaveLength(states.length + 11);
  });
});

describe('the deadline (interface 8, contract C22)', () => {
  it('counts from the arrival of the request', async () => {
    await using registry = await RawRegistry.start();
    const { checks, timers } = checksAgainst(registry, 10_000);
    const asked = checks.lookUp(vatNumber, aged(9_700));
    await untilCalled(registry, 1);

    timers.advance(299);
    expect(await isPending(asked)).toBe(true);
    timers.advance(1);

    expect(await asked).toEqual(timedOut);
  });

  it('holds for both calls together', async () => {
    await using registry = await RawRegistry.start((socket) => {
      if (registry.checks.length === 1) socket.destroy();
    });
    const { checks, timers } = checksAgainst(registry, 10_000);
    const asked = checks.lookUp(vatNumber, aged(8_200));
    await untilCalled(registry, 2);

    timers.advance(1_799);
    expect(await isPending(asked)).toBe(true);
    timers.advance(1);

    expect(await asked).toEqual(timedOut);
    expect(registry.checks).toHaveLength(2);
  });

  it('ends waiting checks while the calls before them go on', async () => {
    await using registry = await RawRegistry.start();
    const { checks, timers } = checksAgainst(registry, 10_000);
    const before = ['11', '12', '13', '14'].map(async (vat) =>
      checks.lookUp(numberOf('AT', vat), aged(0)),
    );
    await untilCalled(registry, 4);
    const asked = checks.lookUp(numberOf('AT', '15'), aged(9_700));

    timers.advance(299);
    expect(await isPending(asked)).toBe(true);
    timers.advance(1);

    expect(await asked).toEqual(timedOut);
    expect(await isPending(Promise.race(before))).toBe(true);
    expect(registry.checks).toHaveLength(4);
  });

  it('leaves no timer behind', async () => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const { checks, timers } = checksAgainst(registry);

    await Promise.all([checks.lookUp(vatNumber, aged(0)), checks.lookUp(vatNumber, aged(100))]);

    expect(timers.pending).toBe(0);
  });

  it.each([
    ['exactly then', 1_000],
    ['long before', 2_000],
  ])('ends a check without a call when it was over %s', async (_, elapsedMs) => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const { checks } = checksAgainst(registry, 1_000);
    // A connection is open, so only the deadline can prevent a call.
    await checks.lookUp(numberOf('AT', 'U99999902'), aged(0));

    expect(await checks.lookUp(vatNumber, aged(elapsedMs))).toEqual(timedOut);

    await checks.lookUp(numberOf('AT', 'U99999903'), aged(0));
    expect(registry.checks.map((check) => check.vatNumber)).toEqual(['U99999902', 'U99999903']);
  });

  it('does not delay a stop', async () => {
    await using registry = await RawRegistry.start();
    const { checks, close } = checksAgainst(registry, 60_000);
    const running = checks.lookUp(vatNumber, aged(0));

    await close();

    expect(await running).toMatchObject({ kind: 'unanswered' });
  });
});
