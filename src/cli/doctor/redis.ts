import { Redis } from 'ioredis';
import type { Secret } from '../../platform/config/secret.ts';
import { describeRedisError, redisTls } from '../../platform/redis/connection.ts';
import { type FindingWithClock, ok, readClock, wrong } from './finding.ts';

const timeoutMs = 2_000;
/** Redis counts windows of a minute by its own clock; days of keys are counted by ours. */
const clockToleranceMs = 5_000;

/** A script, as the limits use them: writes a key and returns the time. */
const script = `redis.call('set', KEYS[1], '1', 'px', 1000) return redis.call('time')`;

/** Checks Redis, if one is configured. */
export async function checkRedis(redisUrl: Secret | undefined): Promise<FindingWithClock> {
  const check = 'redis';
  if (redisUrl === undefined) {
    return { finding: ok(check, 'none is configured; a single process needs none') };
  }
  const url = redisUrl.reveal();
  const redis = new Redis(url, {
    ...redisTls(url),
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    protocol: 2,
    disableClientInfo: true,
  });
  let lost: unknown;
  redis.on('error', (error) => {
    lost = error;
  });
  try {
    await redis.connect();
    const startedMs = performance.now();
    const clock = await readClock('redis', clockToleranceMs, async () => {
      const [seconds, micros] = (await redis.eval(script, 1, 'vatfx:doctor')) as [string, string];
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    });
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
    return { finding: ok(check, `version ${version}, a script took ${ms} ms`), clock };
  } catch (error) {
    const advice =
      'check REDIS_URL and Redis; meanwhile each replica keeps its share of the limits';
    return { finding: wrong(check, describeRedisError(lost ?? error), advice) };
  } finally {
    redis.disconnect();
  }
}
