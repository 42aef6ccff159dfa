import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  connectRedis,
  countCalls,
  hasRedis,
  openEmptyRedis,
  shareRedis,
  startRedis,
} from '../../../test/support/open-redis.ts';
import { redisScript } from './script.ts';

const double = redisScript("return redis.call('INCRBY', KEYS[1], ARGV[1]) * 2");
const away = 'redis away: limits are kept by each replica for its share';

describe.skipIf(!hasRedis)('RedisConnection', () => {
  const server = shareRedis();

  it('gives what Redis answers', async () => {
    await openEmptyRedis(server().url);
    const { redis, lines } = await connectRedis(server().url);

    await redis.run(async (client) => client.set('name', 'value'));

    expect(await redis.run(async (client) => client.get('name'))).toBe('value');
    expect(redis.isAway).toBe(false);
    expect(lines).toEqual([]);
  });

  it('sends a script whole when Redis does not know it, and then never again', async () => {
    const client = await openEmptyRedis(server().url);
    const { redis } = await connectRedis(server().url);

    const answers = [
      await redis.runScript(double, ['sum'], [1]),
      await redis.runScript(double, ['sum'], [2]),
      await redis.runScript(double, ['sum'], [3]),
    ];

    expect(answers).toEqual([2, 6, 12]);
    expect(await countCalls(client, 'eval')).toBe(1);
  });

  it('sends a script whole again when Redis has forgotten it', async () => {
    const client = await openEmptyRedis(server().url);
    const { redis } = await connectRedis(server().url);
    await redis.runScript(double, ['sum'], [1]);

    await client.script('FLUSH');

    expect(await redis.runScript(double, ['sum'], [1])).toBe(4);
    expect(redis.isAway).toBe(false);
  });

  it('carries out a script once for each call, however many come together', async () => {
    const client = await openEmptyRedis(server().url);
    const { redis } = await connectRedis(server().url);

    await Promise.all(
      Array.from({ length: 100 }, async () => redis.runScript(double, ['sum'], [1])),
    );

    expect(await client.get('sum')).toBe('100');
  });

  it('gives nothing for what Redis refuses, and never rejects', async () => {
    const client = await openEmptyRedis(server().url);
    await client.set('text', 'no list');
    const { redis } = await connectRedis(server().url);

    expect(await redis.run(async (own) => own.lpop('text'))).toBeUndefined();
    expect(redis.isAway).toBe(false);
  });

  it('counts as away after three failures in a row, and then nobody asks it', async () => {
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

  it.each([
    [1, [false, false, true]],
    [2, [false, true, true]],
    [3, [true, true, true]],
  ])('counts no answer as a failure for each of %s who wait for it', async (callers, isAway) => {
    const client = await openEmptyRedis(server().url);
    await client.set('text', 'no list');
    const { redis } = await connectRedis(server().url);
    const failing = redisScript("return redis.call('LPOP', KEYS[1])");

    const seen = [];
    for (let n = 0; n < 3; n += 1) {
      await redis.runScript(failing, ['text'], [], { callers });
      seen.push(redis.isAway);
    }

    expect(seen).toEqual(isAway);
  });

  it('is not away when something was answered between failures', async () => {
    const client = await openEmptyRedis(server().url);
    await client.set('text', 'no list');
    const { redis } = await connectRedis(server().url);

    for (let n = 0; n < 10; n += 1) {
      await redis.run(async (own) => own.lpop('text'));
      await redis.run(async (own) => own.lpop('text'));
      await redis.run(async (own) => own.get('text'));
    }

    expect(redis.isAway).toBe(false);
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

  it.each(['wrong', ''])('is away with the password "%s", and says why, not which', async (of) => {
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
  });

  it('lets the process end when it is stopped', async () => {
    const module = new URL('connection.ts', import.meta.url).href;
    const code = `
      const { RedisConnection } = await import(${JSON.stringify(module)});
      const log = { warn() {}, info() {} };
      const redis = new RedisConnection(process.argv[1], { log });
      await redis.start();
      console.log(await redis.run((own) => own.ping()), redis.isAway);
      redis.stop();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, server().url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));

    const [exitCode] = (await once(child, 'close')) as [number | null];

    expect(said).toBe('PONG false\n');
    expect(exitCode).toBe(0);
  });
});
