import type { RedisOptions } from 'ioredis';

/** With `rediss://` the certificate is always verified: Node's default for that is an environment variable. */
export function redisTls(url: string): Pick<RedisOptions, 'tls'> {
  return url.startsWith('rediss:') ? { tls: { rejectUnauthorized: true } } : {};
}
