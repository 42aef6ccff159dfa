import { createHash } from 'node:crypto';

/** A Lua script, and the digest by which Redis finds it if it has run before. */
export type RedisScript = { readonly lua: string; readonly sha1: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') };
}
