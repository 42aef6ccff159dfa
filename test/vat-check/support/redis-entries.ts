import type { RedisConnection } from '../../../src/platform/redis/connection.ts';

/** The answers in Redis, each as its key and its value. */
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
