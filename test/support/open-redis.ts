import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { RedisConnection } from '../../src/platform/redis/connection.ts';
import { findRedis, isCi } from './programs.ts';
import { RedisServer } from './redis-server.ts';

/** Whether suites about Redis can run; in CI they run, and fail without it. */
export const hasRedis = isCi || findRedis() !== undefined;

/** Starts one server for all tests of a file; each test finds it empty, without its scripts too. */
export function shareRedis(): () => RedisServer {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    if (hasRedis) server = await RedisServer.start();
  });
  afterAll(async () => server?.stop());
  return () => {
    if (server === undefined) throw new Error('the server is there in tests only');
    return server;
  };
}

/** Starts a server that ends with the test. */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  onTestFinished(async () => server.stop());
  return server;
}

/** Makes the user of `docs/operating.md`, whose rights `allow` changes, and returns the address with it. */
export async function startRestricted({ url }: RedisServer): Promise<{
  readonly url: string;
  readonly allow: (...rules: readonly string[]) => Promise<void>;
}> {
  const line = /^ACL SETUSER .*$/m.exec(readFileSync('docs/operating.md', 'utf8'))?.[0] ?? '';
  const [, , user = '', ...listed] = line.replace('PASSWORD', 'hush').split(' ');
  const admin = openRedis(url);
  const allow = async (...rules: readonly string[]): Promise<void> => {
    await admin.call('ACL', 'SETUSER', user, ...rules);
  };
  await allow(...listed);
  return { url: url.replace('//', `//${user}:hush@`), allow };
}

/** A plain client, to write and read data in tests. */
export function openRedis(
  url: string,
  options: { readonly enableReadyCheck?: boolean } = {},
): Redis {
  const patient = { retryStrategy: () => 100, maxRetriesPerRequest: null };
  const redis = new Redis(url, { ...patient, ...options });
  redis.on('error', () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** A client of an empty server. */
export async function openEmptyRedis(url: string): Promise<Redis> {
  const redis = openRedis(url);
  await redis.flushall();
  await redis.script('FLUSH');
  await redis.config('RESETSTAT');
  return redis;
}

/** The product's connection, started, with the lines of its log. Ends with the test. */
export async function connectRedis(
  url: string,
  readUrl?: () => string | undefined,
): Promise<{ readonly redis: RedisConnection; readonly lines: LogLine[] }> {
  const lines: LogLine[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const redis = new RedisConnection(url, { log, ...(readUrl && { readUrl }) });
  onTestFinished(() => redis.stop());
  await redis.start();
  return { redis, lines };
}

export type LogLine = { readonly level: string; readonly msg: string };

/** Number of calls of a command since the statistics of a server began. */
export async function countCalls(redis: Redis, command: string): Promise<number> {
  const pattern = new RegExp(`cmdstat_${command}:calls=(\\d+)`);
  return Number(pattern.exec(await redis.info('commandstats'))?.[1] ?? 0);
}
