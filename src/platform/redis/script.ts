import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script, and the digest by which Redis finds it if it has run before. */
export type RedisScript = { readonly lua: string; readonly sha1: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') };
}

/** Runs a script by its digest; sends its text if Redis does not know it. */
export async function evaluate(
  redis: Redis,
  { lua, sha1 }: RedisScript,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha1, keys.length, ...keys, ...values);
  } catch (error) {
    const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
    if (!isUnknown) throw error;
    return redis.eval(lua, keys.length, ...keys, ...values);
  }
}
