import { createHash } from 'node:crypto';

/** A script, and the digest that Redis knows it by. */
export type RedisScript = { readonly lua: string; readonly sha1: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') };
}
