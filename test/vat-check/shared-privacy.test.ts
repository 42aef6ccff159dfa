import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestService } from '../support/start-service.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { startReplicas } from './support/replicas.ts';
import { connectRedis, hasRedis, shareRedis } from '../support/open-redis.ts';
import { readAll } from './support/redis-entries.ts';
import { answerText } from './support/vies-texts.ts';

/** A number, a name and an address that occur in no other data; parts of them count as well. */
const path = '/vatcheck/AT/KANARI4711';
const answer = print(200, answerText({ name: 'Gelbvogel KG', address: 'Nestgasse 9' }));
const parts = /kanari|gelbvogel|nestgasse/i;

const redis = shareRedis();

async function start() {
  const registry = await RawRegistry.start((socket) => socket.end(answer));
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  return startReplicas({ redisUrl: redis().url, viesUrl: registry.url });
}

/** The lines of every output that could contain data of a check. */
async function tracesIn(service: TestService): Promise<readonly string[]> {
  const status = await service.sendToOps('/status');
  const metrics = await service.sendToOps('/metrics');
  expect([status.status, metrics.status]).toEqual([200, 200]);
  const lines = [...service.logLines, ...status.text.split('\n'), ...metrics.text.split('\n')];
  return lines.filter((line) => parts.test(line));
}

const says = (service: TestService, sentence: string): boolean =>
  service.logLines.some((line) => line.includes(sentence));

describe.skipIf(!hasRedis)('numbers, names and addresses with Redis (style: Logs)', () => {
  it('are in no log line, no metric and not in /status of any replica', async () => {
    const { redis: connection } = await connectRedis(redis().url);
    await connection.run(async (commands) => commands.flushall());
    const replicas = await start();

    await replicas[0].get(path);
    await expect.poll(async () => readAll(connection)).toHaveLength(1);
    for (const replica of replicas) {
      expect((await replica.get(path)).text).toContain('Gelbvogel');
      expect(await tracesIn(replica)).toEqual([]);
    }
  });

  const refuse = async (...rules: readonly string[]) => {
    const { redis: connection } = await connectRedis(redis().url);
    await connection.run(async (commands) => commands.acl('SETUSER', 'default', ...rules));
  };

  it.each<[string, () => unknown]>([
    ['refuses a user that must do nothing', async () => refuse('-@all')],
    ['refuses a user with other keys', async () => refuse('resetkeys', '~other:*')],
    ['hangs', () => redis().pause()],
    ['is killed', async () => redis().kill()],
  ])('are in none of them if Redis %s', async (_, begin) => {
    const [replica] = await start();
    onTestFinished(async () => redis().restart());

    await begin();
    for (const number of ['1', '2', '3', '4']) {
      expect((await replica.get(path + number)).text).toContain('Gelbvogel');
    }

    expect(says(replica, 'redis away')).toBe(true);
    expect(await tracesIn(replica)).toEqual([]);
  });
});
