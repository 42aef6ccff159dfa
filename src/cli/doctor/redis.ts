import { Redis } from 'ioredis';
import type { Secret } from '../../platform/config/secret.ts';
import { redisTls } from '../../platform/redis/connection.ts';
import {
  adviseOnRedis,
  describeRedisError,
  isSelectFailure,
  tryCommands,
} from '../../platform/redis/refusals.ts';
import { type FindingWithClock, ok, readClock, wrong } from './finding.ts';

const timeoutMs = 2_000;
/** Redis counts windows of a minute by its own clock; days of keys are counted by ours. */
const clockToleranceMs = 5_000;

/** Checks Redis, if one is configured, with every command that vatfx uses. */
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
    lost ??= error;
    if (isSelectFailure(error)) redis.disconnect();
  });
  try {
    await redis.connect();
    const startedMs = performance.now();
    await tryCommands(redis);
    const ms = Math.round((performance.now() - startedMs) * 10) / 10;
    const clock = await readClock('redis', clockToleranceMs, async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    });
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown';
    return {
      finding: ok(check, `version ${version}, all commands and a script took ${ms} ms`),
      clock,
    };
  } catch (error) {
    const cause = lost ?? error;
    return { finding: wrong(check, describeRedisError(cause), adviseOnRedis(cause)) };
  } finally {
    redis.disconnect();
  }
}
