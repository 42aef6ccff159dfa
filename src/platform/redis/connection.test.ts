import { describe, expect, it } from 'vitest';
import {
  connectRedis,
  countCalls,
  hasRedis,
  openEmptyRedis,
  openRedis,
  shareRedis,
  startRedis,
} from '../../../test/support/open-redis.ts';
import { redisScript } from './script.ts';

const double = redisScript("return redis.call('INCRBY', KEYS[1], ARGV[1]) * 2");
const away = 'redis away; each replica now admits its share of the limits';

describe.skipIf(!hasRedis)('RedisConnection', () => {
  const server = shareRedis();

  it('sends the text of a script again if Redis has lost it', async () => {
    const client = await openEmptyRedis(server().url);
    const { redis } = await connectRedis(server().url);
    await redis.runScript(double, ['sum'], [1]);

    await client.script('FLUSH');

    expect(await redis.runScript(double, ['sum'], [1])).toBe(4);
    expect(redis.isAway).toBe(false);
  });

  it('counts Redis as away after three failures in a row, and then sends no command', async () => {
    const client = await openEmptyRedis(server().url);
    await client.set('text', 'no list');
    const { redis, lines } = await connectRedis(server().url);

    for (let n = 0; n < 3; n += 1) await redis.run(async (own) => own.lpop('text'));
    const answer = await redis.run(async (own) => own.get('text'));

    expect(redis.isAway).toBe(true);
    expect(answer).toBeUndefined();
    expect(await countCalls(client, 'get')).toBe(0);
    expect(lines.map(({ msg }) => msg)).toEqual([away]);
  });

  it('writes no argument of a command into the log', async () => {
    const client = await openEmptyRedis(server().url);
    await client.set('vatfx:DE123456789', 'no list');
    const { redis, lines } = await connectRedis(server().url);

    for (let n = 0; n < 3; n += 1) {
      await redis.run(async (own) => own.rpush('vatfx:DE123456789', 'Example GmbH'));
    }

    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/DE123456789|Example GmbH/);
  });

  it.each(['wrong', ''])(
    'counts Redis as away with the password "%s", and logs the reason without the password',
    async (of) => {
      const protectedServer = await startRedis(['--requirepass', 'right-4711']);
      const url = protectedServer.url.replace('//', of === '' ? '//' : `//:${of}-4711@`);

      const { redis, lines } = await connectRedis(url);
      await expect
        .poll(async () => (await redis.run(async (own) => own.get('x')), redis.isAway))
        .toBe(true);

      const text = JSON.stringify(lines);
      expect(lines.map(({ msg }) => msg)).toEqual([away]);
      expect(text).toMatch(/WRONGPASS|NOAUTH/);
      expect(text).not.toContain('-4711');
      expect(text).not.toContain(String(protectedServer.port));
    },
  );

  it.each([
    ['password', 'requirepass'],
    ['user', 'acl'],
  ])('uses a changed %s of its address without a restart', async (_, kind) => {
    const changing = await startRedis(['--requirepass', 'before-4711']);
    const urlOf = (user: string): string => changing.url.replace('//', `//${user}@`);
    let url = urlOf(':before-4711');
    const { redis, lines } = await connectRedis(url, () => url);
    const admin = openRedis(url);
    const answers = async (): Promise<unknown> => redis.run(async (own) => own.set('x', '1'));

    await answers();
    await admin.acl('SETUSER', 'other', 'on', '>after-4711', '~*', '+@all');
    await admin.config('SET', 'requirepass', 'after-4711');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(async () => (await answers(), redis.isAway)).toBe(true);
    url = urlOf(kind === 'acl' ? 'other:after-4711' : ':after-4711');

    await expect.poll(answers).toBe('OK');
    expect(lines.map(({ msg }) => msg)).toEqual([away, 'redis answers again']);
    expect(JSON.stringify(lines)).not.toContain('4711');
  });
});
