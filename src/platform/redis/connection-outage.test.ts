import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectRedis, hasRedis, openRedis, startRedis } from '../../../test/support/open-redis.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import type { RedisConnection } from './connection.ts';
import { redisScript } from './script.ts';

const count = redisScript("return redis.call('INCR', KEYS[1])");
const away = 'redis away; each replica now admits its share of the limits';
const back = 'redis answers again';

/** Outages of Redis: how each begins and ends. */
const outages = [
  {
    name: 'killed',
    begin: async (server: RedisServer) => server.kill(),
    end: async (server: RedisServer) => server.restart(),
  },
  {
    name: 'a replica (READONLY)',
    begin: async (server: RedisServer) => openRedis(server.url).replicaof('127.0.0.1', 1),
    end: async (server: RedisServer) => openRedis(server.url).replicaof('NO', 'ONE'),
  },
  {
    name: 'full (OOM)',
    begin: async (server: RedisServer) => openRedis(server.url).config('SET', 'maxmemory', '1'),
    end: async (server: RedisServer) => openRedis(server.url).config('SET', 'maxmemory', '0'),
  },
] as const;

async function countOne(redis: RedisConnection): Promise<unknown> {
  return redis.runScript(count, ['vatfx:count'], []);
}

/** Sends commands, ten at a time, until Redis counts as away. */
async function untilAway(redis: RedisConnection): Promise<void> {
  const together = Array.from({ length: 10 });
  await expect
    .poll(async () => {
      await Promise.all(together.map(async () => countOne(redis)));
      return redis.isAway;
    })
    .toBe(true);
}

/** Sends commands until a number of them were answered. */
async function untilAnswered(redis: RedisConnection, times = 20): Promise<void> {
  let answered = 0;
  await expect
    .poll(
      async () => {
        if ((await countOne(redis)) !== undefined) answered += 1;
        return answered;
      },
      { timeout: 20_000, interval: 10 },
    )
    .toBe(times);
}

describe.skipIf(!hasRedis)('RedisConnection in an outage of Redis', () => {
  it.each(outages)(
    'Redis $name: it is away, no command waits for it, and it is used again without a restart',
    async ({ begin, end }) => {
      const server = await startRedis();
      const { redis, lines } = await connectRedis(server.url);
      await countOne(redis);

      await begin(server);
      await untilAway(redis);
      const turns = await countTurnsOf(countOne(redis));
      await end(server);
      await untilAnswered(redis);

      expect(turns).toBeLessThan(5);
      expect(lines.map(({ msg }) => msg)).toEqual([away, back]);
      expect(JSON.stringify(lines)).not.toContain(String(server.port));
    },
  );
});

/** The number of turns of the event loop that some work takes; a wait for a timer or a socket takes more. */
async function countTurnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const waiting = new Set([work]);
  void work.then(() => waiting.clear());
  while (waiting.size > 0) {
    await turn();
    turns += 1;
  }
  return turns;
}
