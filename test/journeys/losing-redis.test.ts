import { describe, expect, it } from 'vitest';
import { FaultProxy } from '../support/fault-proxy.ts';
import { reportFigure, someOf } from '../support/proof.ts';
import { answerMs, EveryEndpoint, whole } from './support/endpoint-groups.ts';
import { type Loss, names, startToLose, timeUntil } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import type { TestService } from '../support/start-service.ts';

const engines = shareEngines();

type Parts = { readonly resolver: Names; readonly line: FaultProxy };

const losses: readonly {
  readonly how: string;
  readonly make: (parts: Parts) => Omit<Loss, 'how'>;
}[] = [
  {
    how: 'killed: connections are refused',
    make: () => ({
      lose: async () => engines().redis.kill(),
      restore: async () => engines().redis.restart(),
    }),
  },
  {
    how: 'held: connections stay, nothing answers',
    make: () => ({
      lose: () => engines().redis.pause(),
      restore: () => engines().redis.resume(),
    }),
  },
  {
    how: 'slow: every answer takes a second',
    make: ({ line }) => ({
      lose: () => line.slowDown(1_000),
      restore: () => line.heal(),
    }),
  },
  {
    how: 'nowhere: no name server answers',
    make: ({ resolver, line }) => ({
      lose: async () => {
        resolver.lose(names.redis, 'silent');
        await line.refuse();
        await line.accept();
      },
      restore: () => resolver.restore(names.redis),
    }),
  },
];

describe.skipIf(!hasEngines)('Redis that is away (reliability R26)', () => {
  it.each(someOf(losses, 2))(
    'changes no answer, and is used again after it; $how',
    async ({ how, make }) => {
      const { redis } = engines();
      const line = await FaultProxy.open(redis.port);
      const loss = make({ resolver: Names.use(), line });
      const redisUrl = line.urlOf(redis.url).replace('127.0.0.1', names.redis);
      const service = await startToLose(engines(), { redisUrl });
      const every = await EveryEndpoint.prepare(service);

      await loss.lose();
      const atOnce = await every.sendRequest();
      await timeUntil(async () => {
        await every.sendRequest(['/rates']);
        return !(await hasRedis(service));
      });
      const later = await every.sendRequest();
      const metrics = await service.sendToOps('/metrics');
      await loss.restore();
      const backMs = await timeUntil(async () => hasRedis(service));

      reportFigure(
        'R26',
        `Redis ${how}: ${every.describe()}; it was used again ${backMs} ms after it was back`,
      );
      expect(atOnce).toEqual(whole);
      expect(later).toEqual(whole);
      expect(metrics.text).toContain('vatfx_redis_answering 0');
      expect(every.longestMs).toBeLessThan(answerMs);
      expect(await every.sendRequest()).toEqual(whole);
    },
  );
});

/** Whether `/status` reports that Redis answers. */
async function hasRedis(service: TestService): Promise<boolean> {
  const { text } = await service.sendToOps('/status');
  const { redis } = JSON.parse(text) as { readonly redis: { readonly answering: boolean } };
  return redis.answering;
}
