import { pino } from 'pino';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { RedisConnection } from '../../../src/platform/redis/connection.ts';
import { findRedis, isCi } from '../../support/programs.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { isPostgresql } from '../../support/temporary-database.ts';

/**
 * True if suites that start their own Redis can run. They run once, in the project of SQLite. If Redis is not
 * installed they are skipped, and fail in CI.
 */
export const hasRedis = !isPostgresql && (isCi || findRedis() !== undefined);

/** Starts a Redis for all tests of a file, which may pause it, kill it and start it again. */
export function shareRedis(options: readonly string[] = []): () => RedisServer {
  let redis: RedisServer | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await RedisServer.start(options);
  });
  afterAll(async () => redis?.stop());
  return () => {
    if (redis === undefined) throw new Error('Redis is there in tests only');
    return redis;
  };
}

/** A connection like that of each replica, closed with the test. */
export async function connectTo(url: string): Promise<RedisConnection> {
  const connection = new RedisConnection(url, { log: pino({ level: 'silent' }) });
  onTestFinished(() => connection.stop());
  await connection.start();
  return connection;
}

/** The answers and claims in Redis, each as its key and its value. */
export async function readAll(
  connection: RedisConnection,
): Promise<readonly (readonly [key: string, value: string | null])[]> {
  const all = await connection.run(async (redis) => {
    const keys = (await redis.keys('vatfx:vat:*')).sort();
    return Promise.all(keys.map(async (key) => [key, await redis.get(key)] as const));
  });
  if (all === undefined) throw new Error('Redis does not answer');
  return all;
}
