import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { createCaller, startReplicas } from './support/replicas.ts';
import { connectRedis, hasRedis, shareRedis } from '../support/open-redis.ts';
import { readAll } from './support/redis-entries.ts';
import { answerText, faultText } from './support/vies-texts.ts';

const path = '/vatcheck/AT/U99999901';
const other = '/vatcheck/AT/U99999902';
const redis = shareRedis();

/** Three replicas and an empty Redis, with a registry that always gives the same answer. */
async function startWith(bytes: Buffer | string, viesTimeoutMs = 10_000) {
  const { redis: connection } = await connectRedis(redis().url);
  await connection.run(async (commands) => commands.flushall());
  const registry = await RawRegistry.start((socket) => socket.end(bytes));
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  const config = { redisUrl: redis().url, viesUrl: registry.url, viesTimeoutMs };
  return { connection, registry, replicas: await startReplicas(config, new ManualTimers()) };
}

/** The key of the only answer in Redis, which is stored after the caller has its answer. */
async function keyOfAnswer(connection: RedisConnection): Promise<string> {
  const only = [[expect.stringMatching(/:answer:/), expect.any(String)]];
  await expect.poll(async () => readAll(connection)).toEqual(only);
  return (await readAll(connection))[0]?.[0] ?? '';
}

describe.skipIf(!hasRedis)(
  'an answer that one replica has got (contract C3, C23, interface 4.5)',
  () => {
    it.each([
      ['quota', { quota: 1 }, 'QUOTA_EXCEEDED'],
      ['rate limit', { rateLimit: 1 }, 'RATE_LIMITED'],
    ])(
      'is served by all replicas, without a call and with a used up %s',
      async (_, limits, refusal) => {
        const { connection, registry, replicas } = await startWith(print(200, answerText()));
        const caller = await createCaller(replicas, limits);

        const first = await caller.get(replicas[0], path);
        await keyOfAnswer(connection);

        for (const replica of replicas) {
          expect(formOf(await caller.get(replica, other))).toEqual(errorForm(429, refusal));
          const { status, text } = await caller.get(replica, path);
          expect([status, text]).toEqual([200, first.text]);
        }
        expect(first.status).toBe(200);
        expect(await caller.countCharged(replicas[2])).toBe(1);
        expect(registry.checks).toHaveLength(1);
      },
    );

    it.each([
      ['on file', 'true', 3_600],
      ['not on file', 'false', 300],
    ])('has the same lifetime on all replicas if it is %s', async (_, valid, maxAge) => {
      const { connection, replicas } = await startWith(print(200, answerText({ valid })));

      await replicas[0].get(path);
      const key = await keyOfAnswer(connection);

      const leftMs = (await connection.run(async (commands) => commands.pttl(key))) ?? 0;
      expect(leftMs).toBeLessThanOrEqual(maxAge * 1_000);
      expect(leftMs).toBeGreaterThan((maxAge - 60) * 1_000);
      const { headers, text } = await replicas[1].get(path);
      expect(maxAgeOf(headers)).toBeLessThanOrEqual(maxAge);
      expect(maxAgeOf(headers)).toBeGreaterThanOrEqual(Math.max(300, maxAge - 60));
      expect(JSON.parse(text)).toMatchObject({ valid: valid === 'true' });
    });

    it('is looked up again if the entry in Redis is damaged, and then replaced there', async () => {
      const { connection, registry, replicas } = await startWith(print(200, answerText()));
      await replicas[0].get(path);
      const key = await keyOfAnswer(connection);

      await connection.run(async (commands) => commands.set(key, '{"valid":', 'KEEPTTL'));

      expect((await replicas[1].get(path)).status).toBe(200);
      expect(registry.checks).toHaveLength(2);
      await expect
        .poll(async () => readAll(connection))
        .toContainEqual([key, expect.stringMatching(/"valid":true/)]);
    });
  },
);

describe.skipIf(!hasRedis)('while Redis does not answer (contract C22)', () => {
  it.each<[string, () => unknown, () => unknown]>([
    ['hangs', () => redis().pause(), () => redis().resume()],
    ['is gone', async () => redis().kill(), async () => redis().restart()],
  ])('each replica calls the registry itself in time if Redis %s', async (_, begin, end) => {
    const { registry, replicas } = await startWith(print(200, answerText()));
    onTestFinished(async () => void (await end()));

    await begin();
    const answers = await Promise.all(replicas.map(async (replica) => replica.get(path)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(registry.checks).toHaveLength(3);
  });
});

describe.skipIf(!hasRedis)('an error of the registry (contract C22, C23)', () => {
  it.each([
    ['a rejection', print(200, faultText('INVALID_INPUT')), 422],
    ['a Member State that is down', print(200, faultText('MS_UNAVAILABLE')), 503],
    ['a service that is down', print(500, faultText('SERVICE_UNAVAILABLE')), 503],
    ['a timeout of the registry', print(200, faultText('TIMEOUT')), 503],
    ['a refusal', print(200, faultText('IP_BLOCKED')), 502],
    ['a web page', print(200, '<html/>', { 'Content-Type': 'text/html' }), 502],
    ['half an answer', print(200, answerText().slice(0, 300)), 502],
    ['a broken connection', '', 502],
  ])('is never stored in Redis: %s', async (_, bytes, status) => {
    const { connection, registry, replicas } = await startWith(bytes, 1_400);

    for (const replica of replicas) expect((await replica.get(path)).status).toBe(status);

    expect(registry.checks).toHaveLength(3);
    await expect.poll(async () => readAll(connection)).toEqual([]);
  });
});

function maxAgeOf(headers: Readonly<Record<string, unknown>>): number {
  return Number(/^private, max-age=(\d+)$/.exec(String(headers['cache-control']))?.[1]);
}
