import { OwnQuestion } from '../calls/own-question.ts';
import { vies } from '../registries/vies/vies.ts';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isPending, ManualTimers } from '../../../test/support/manual-timers.ts';
import { connectRedis, hasRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { uncounted } from '../../../test/vat-check/support/held-calls.ts';
import { print, RawRegistry } from '../../../test/vat-check/support/raw-registry.ts';
import { numberOf } from '../../../test/vat-check/support/vat-numbers.ts';
import { answerText } from '../../../test/vat-check/support/vies-texts.ts';
import { createMetrics } from '../../platform/metrics.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { createVatChecks } from './create-vat-checks.ts';
import type { CallerCalls } from '../calls/caller-calls.ts';
import type { CheckCaller } from './check.ts';
import { guardOf } from '../../../test/support/clock-guard.ts';
import { patienceMs } from '../../../test/support/eventually.ts';

/** A caller whose request has this age. */
const aged = (elapsedMs: number): CheckCaller => ({ keyId: 'key_1', elapsedMs });

const vatNumber = numberOf('AT', 'U99999901');

/**
 * VAT checks against a registry at this address, closed with the test. Time passes for them only if a test advances
 * it, save for the pause before a second call, which takes no time.
 */
function checksAgainst(
  { url }: RawRegistry,
  timeoutMs = 5_000,
  redis?: RedisConnection,
  begin: CallerCalls['begin'] = uncounted.begin,
) {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const timers = new ManualTimers({ skippedMs: 200 });
  const vat = createVatChecks({
    onGroupFault: () => {},
    db: undefined as never,
    calls: { ...uncounted, begin, countReplicas: () => 1 },
    redis,
    registries: [{ registry: vies, url, own: new OwnQuestion(undefined) }],
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
  await vi.waitFor(() => expect(registry.checks).toHaveLength(times), patienceMs);
}

const answer = print(200, answerText());
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
});

describe('a key that has used its calls of the day (rule K21b)', () => {
  it('refuses no other key that waits for the same number', async () => {
    await using registry = await RawRegistry.start((socket) => socket.write(answer));
    const begin: CallerCalls['begin'] = async (keyId) =>
      keyId === 'key_spent' ? undefined : uncounted.begin();
    const { checks } = checksAgainst(registry, 5_000, undefined, begin);

    const both = await Promise.all([
      checks.lookUp(vatNumber, { keyId: 'key_spent', elapsedMs: 0 }),
      checks.lookUp(vatNumber, aged(0)),
    ]);

    expect(both).toMatchObject([
      { kind: 'spent', retryAfterSeconds: 28_800 },
      { kind: 'answered' },
    ]);
    expect(registry.checks).toHaveLength(1);
  });
});

describe('a second call (contract C24)', () => {
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

  it('of a check that came earlier than the one whose call it waits for is its own', async () => {
    await using registry = await RawRegistry.start();
    const { checks, timers } = checksAgainst(registry, 10_000);
    const later = checks.lookUp(vatNumber, aged(8_000));
    const earlier = checks.lookUp(vatNumber, aged(9_700));
    await untilCalled(registry, 1);

    timers.advance(299);
    expect(await isPending(earlier)).toBe(true);
    timers.advance(1);

    expect(await earlier).toEqual(timedOut);
    expect(await isPending(later)).toBe(true);
    timers.advance(1_700);
    expect(await later).toEqual(timedOut);
    expect(registry.checks).toHaveLength(1);
  });

  describe.skipIf(!hasRedis)('while Redis hangs', () => {
    const redis = shareRedis();

    it('ends a check, which makes no call after it waited for Redis', async () => {
      await using registry = await RawRegistry.start((socket) => socket.write(answer));
      const connection = (await connectRedis(redis().url)).redis;
      const { checks, timers } = checksAgainst(registry, 10_000, connection);
      onTestFinished(() => redis().resume());

      redis().pause();
      const asked = checks.lookUp(vatNumber, aged(0));
      timers.advance(10_000);

      expect(await asked).toEqual(timedOut);
      // The next check waits for Redis behind the one that has ended, and only the next one continues.
      const other = numberOf('AT', 'U99999902');
      expect(await checks.lookUp(other, aged(0))).toMatchObject({ kind: 'answered' });
      expect(registry.checks.map((check) => check.vatNumber)).toEqual(['U99999902']);
    });
  });
});
