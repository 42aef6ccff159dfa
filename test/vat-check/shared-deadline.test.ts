import type { Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import { BlockBreaker } from '../../src/vat-check/block-breaker.ts';
import { createVatChecks } from '../../src/vat-check/create-vat-checks.ts';
import type { CheckCaller } from '../../src/vat-check/check.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { expectWithin, isFull, reportFigure } from '../support/proof.ts';
import { isPending, ManualTimers } from '../support/manual-timers.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { createCaller, startReplicas } from './support/replicas.ts';
import { connectRedis, hasRedis, shareRedis } from '../support/open-redis.ts';
import { answerText } from './support/vies-texts.ts';
import { numberOf } from './support/vat-numbers.ts';
import { guardOf } from '../support/clock-guard.ts';

/** The same value as in production. */
const timeoutMs = 10_000;
/** Tolerance: timers count from the beginning of their turn of the event loop, which is a little earlier. */
const earlyMs = 20;

const path = '/vatcheck/AT/U99999901';
/** A caller whose request arrived so long ago. */
const aged = (elapsedMs: number): CheckCaller => ({ keyId: 'key_1', elapsedMs });

const vatNumber = numberOf('AT', 'U99999901');
const answer = print(200, answerText());
const timedOut = { kind: 'unanswered', outcome: { kind: 'timedOut' }, retryAfterSeconds: 30 };
const redis = shareRedis();

/**
 * Replicas with a registry whose calls the test controls. A full run uses real time and measures it; otherwise time
 * passes only when the test advances it.
 */
async function startWith(respond: (socket: Socket) => void) {
  const registry = await RawRegistry.start(respond);
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  const config = { redisUrl: redis().url, viesUrl: registry.url, viesTimeoutMs: timeoutMs };
  const manual = isFull ? undefined : new ManualTimers();
  const replicas = await startReplicas(config, manual);
  // Use of keys without limits is not shared between replicas.
  const caller = await createCaller(replicas, { quota: 100_000 });
  return { registry, replicas, caller, manual };
}

type World = Awaited<ReturnType<typeof startWith>>;

/** Checks one number on all replicas, and ends the time as soon as all of them wait. */
async function expectTimeouts(
  { replicas, caller, manual }: World,
  { when, untilWaiting }: { readonly when: string; readonly untilWaiting: () => Promise<unknown> },
): Promise<void> {
  const startedMs = performance.now();
  const asked = Promise.all(
    replicas.map(async (replica) => {
      const answered = await caller.get(replica, path);
      return { answered, tookMs: performance.now() - startedMs };
    }),
  );
  await (manual === undefined ? undefined : untilWaiting());
  expect(await isPending(asked)).toBe(true);
  manual?.advance(timeoutMs);
  for (const { answered, tookMs } of await asked) {
    expect(formOf(answered)).toEqual(errorForm(503, 'TIMEOUT'));
    expect(answered.headers['retry-after']).toBe('30');
    // A figure is printed only in a full run, which uses real time.
    expect(tookMs).toBeGreaterThanOrEqual(isFull ? timeoutMs - earlyMs : 0);
    expectWithin(tookMs, timeoutMs + 500);
  }
  const took = (await asked).map(({ tookMs }) => Math.round(tookMs));
  const measured = isFull ? `${took.join(', ')} ms after the request` : 'when the time was up';
  reportFigure(
    'R10',
    `on ${took.length} replicas ${when}: 503 TIMEOUT ${measured} (hard timeout ${timeoutMs} ms)`,
  );
}

describe.skipIf(!hasRedis)('the hard timeout on several replicas (R10, contract C22)', () => {
  const untilCalled = (registry: RawRegistry) => async (): Promise<void> =>
    vi.waitFor(() => expect(registry.checks).toHaveLength(3), 10_000);

  it('holds while Redis hangs', async () => {
    const world = await startWith(() => {});
    onTestFinished(() => redis().resume());

    redis().pause();
    await expectTimeouts(world, {
      when: 'while Redis hangs',
      untilWaiting: untilCalled(world.registry),
    });

    expect(world.registry.checks).toHaveLength(3);
  });

  it('holds while there is no Redis', async () => {
    const world = await startWith(() => {});
    onTestFinished(async () => redis().restart());

    await redis().kill();
    await expectTimeouts(world, {
      when: 'without Redis',
      untilWaiting: untilCalled(world.registry),
    });

    expect(world.registry.checks).toHaveLength(3);
  });

  it.each<[string, () => unknown, () => unknown]>([
    ['hangs', () => redis().pause(), () => redis().resume()],
    ['is gone', async () => redis().kill(), async () => redis().restart()],
  ])('leaves time for an answer if Redis %s', async (_, begin, end) => {
    const { registry, replicas } = await startWith((socket) => socket.write(answer));
    onTestFinished(async () => void (await end()));

    await begin();
    const answers = await Promise.all(replicas.map(async (replica) => replica.get(path)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(registry.checks).toHaveLength(3);
  });
});

/** VAT checks of one replica, closed with the test. */
function checksAgainst(
  registry: RawRegistry,
  connection?: RedisConnection,
  timers = new ManualTimers(),
) {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const vat = createVatChecks({
    onStateFault: () => {},
    onCall: () => {},
    block: new BlockBreaker(clock),
    redis: connection,
    viesUrl: registry.url,
    timeoutMs: 10_000,
    clock,
    clockGuard: guardOf(clock),
    timers,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
  });
  onTestFinished(async () => vat.close());
  return vat.checks;
}

describe('a check that came earlier than the one whose call it waits for', () => {
  it('ends by its own deadline', async () => {
    await using registry = await RawRegistry.start();
    const timers = new ManualTimers();
    const checks = checksAgainst(registry, undefined, timers);
    const later = checks.lookUp(vatNumber, aged(8_000));
    const earlier = checks.lookUp(vatNumber, aged(9_800));
    await vi.waitFor(() => expect(registry.checks).toHaveLength(1), 10_000);

    timers.advance(199);
    expect(await isPending(earlier)).toBe(true);
    timers.advance(1);

    expect(await earlier).toEqual(timedOut);
    expect(await isPending(later)).toBe(true);
    timers.advance(1_800);
    expect(await later).toEqual(timedOut);
    expect(registry.checks).toHaveLength(1);
  });
});

describe.skipIf(!hasRedis)('while Redis hangs', () => {
  it('an answer that arrived meanwhile is found, without another call', async () => {
    const held: Socket[] = [];
    await using registry = await RawRegistry.start((socket) => void held.push(socket));
    const checks = checksAgainst(registry, (await connectRedis(redis().url)).redis);
    onTestFinished(() => redis().resume());

    redis().pause();
    const asked = checks.lookUp(vatNumber, aged(0));
    await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
    const looking = checks.findShared(vatNumber);
    held[0]?.write(answer);

    expect(await asked).toMatchObject({ kind: 'answered' });
    expect(await looking).toMatchObject({ text: expect.stringContaining('"valid":true') });
  });
});
