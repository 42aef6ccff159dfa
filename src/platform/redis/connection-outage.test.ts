import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectRedis, hasRedis, openRedis, startRedis } from '../../../test/support/open-redis.ts';
import type { RedisServer } from '../../../test/support/redis-server.ts';
import { FaultProxy } from '../../../test/support/fault-proxy.ts';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import type { RedisConnection } from './connection.ts';
import { redisScript } from './connection.ts';

const count = redisScript("return redis.call('INCR', KEYS[1])");
const away = 'redis away; each replica now admits its share of the limits';
const back = 'redis answers again';
const pauseMs = 4_000;

/** Outages of Redis: how each begins and ends. */
const outages = [
  {
    name: 'killed',
    begin: async (server: RedisServer) => server.kill(),
    end: async (server: RedisServer) => server.restart(),
  },
  {
    name: 'stopped (SIGSTOP)',
    begin: async (server: RedisServer) => server.pause(),
    end: async (server: RedisServer) => server.resume(),
  },
  {
    name: 'slow (2 s)',
    begin: async (_: RedisServer, link: FaultProxy) => link.slowDown(2_000),
    end: async (_: RedisServer, link: FaultProxy) => link.heal(),
  },
  {
    name: 'paused (CLIENT PAUSE)',
    begin: async (server: RedisServer) =>
      openRedis(server.url).call('CLIENT', 'PAUSE', pauseMs, 'ALL'),
    end: async () => {},
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
      const link = await FaultProxy.open(server.port);
      const { redis, lines } = await connectRedis(link.urlOf(server.url));
      await countOne(redis);

      await begin(server, link);
      await untilAway(redis);
      const turns = await countTurnsOf(countOne(redis));
      await end(server, link);
      await untilAnswered(redis);

      expect(turns).toBeLessThan(5);
      expect(lines.map(({ msg }) => msg)).toEqual([away, back]);
      expect(JSON.stringify(lines)).not.toContain(String(link.port));
    },
  );

  it.each(outages.slice(4))(
    'Redis $name: it is away as long as the outage lasts',
    async ({ begin }) => {
      const server = await startRedis();
      const link = await FaultProxy.open(server.port);
      const { redis, lines } = await connectRedis(link.urlOf(server.url));
      await begin(server, link);
      await untilAway(redis);

      // Far longer than the answered probes take after which Redis is used again.
      const sinceMs = performance.now();
      await expect
        .poll(async () => (await countOne(redis), performance.now() - sinceMs > 4_000))
        .toBe(true);

      expect(lines.map(({ msg }) => msg)).toEqual([away]);
    },
  );

  it('starts while Redis is down, and uses it once it runs', async () => {
    const server = await startRedis();
    await server.kill();

    const { redis, lines } = await connectRedis(server.url);
    const isAwayAtFirst = redis.isAway;
    await server.restart();
    await untilAnswered(redis);

    expect(isAwayAtFirst).toBe(true);
    expect(lines.map(({ msg }) => msg)).toEqual([away, back]);
  });

  it('counts Redis as away while it loads its data, and then uses it', async () => {
    const folder = temporaryFolder();
    // Loading takes over a second, which is enough for the requests below.
    const slowly = ['--key-load-delay', '300', '--loading-process-events-interval-bytes', '1024'];
    const server = await startRedis(['--dir', folder, ...slowly]);
    const client = openRedis(server.url);
    await client.eval("for n = 1, 5000 do redis.call('SET', n, n) end", 0);
    await client.save();
    const { redis, lines } = await connectRedis(server.url);

    await server.restart();
    const unchecked = openRedis(server.url, { enableReadyCheck: false });
    const loading = await unchecked.get('1').catch((error: Error) => error.message);
    await untilAway(redis);
    await untilAnswered(redis);

    expect(loading).toMatch(/^LOADING/);
    expect(lines.map(({ msg }) => msg)).toEqual([away, back]);
  });
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
