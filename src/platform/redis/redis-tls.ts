import type { RedisOptions } from 'ioredis';

/** TLS for `rediss://`. The certificate is always verified; by default an environment variable of Node could turn that off. */
export function redisTls(url: string): Pick<RedisOptions, 'tls'> {
  return url.startsWith('rediss:') ? { tls: { rejectUnauthorized: true } } : {};
}
