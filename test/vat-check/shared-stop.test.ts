import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { print, RawRegistry } from './support/raw-registry.ts';
import { createCaller, startReplicas } from './support/replicas.ts';
import { connectRedis, hasRedis, shareRedis } from '../support/open-redis.ts';
import { readAll } from './support/redis-entries.ts';
import { answerText, faultText } from './support/vies-texts.ts';

const path = '/vatcheck/AT/U99999901';
const redis = shareRedis();

/** A check on the first replica, which makes the call, and one on the second, which waits for it. */
async function startWaiting() {
  const { redis: connection } = await connectRedis(redis().url);
  await connection.run(async (commands) => commands.flushall());
  const held: Socket[] = [];
  const registry = await RawRegistry.start((socket) => void held.push(socket));
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  const replicas = await startReplicas({ redisUrl: redis().url, viesUrl: registry.url });
  const caller = await createCaller(replicas, { quota: 100_000 });
  const [first, second, third] = replicas;

  const pending = caller.sendRequest(first.apiUrl, path);
  await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
  const waiting = caller.sendRequest(second.apiUrl, path);
  await expect.poll(async () => caller.countCharged(third)).toBe(2);
  return { connection, registry, held, first, second, pending, waiting };
}

describe.skipIf(!hasRedis)('a stop of one of several replicas (operator.md)', () => {
  it('lets callers be answered that wait for another replica’s call', async () => {
    const { registry, held, second, pending, waiting } = await startWaiting();

    const stopping = second.stop();
    held[0]?.write(print(200, answerText()));

    expect((await waiting).status).toBe(200);
    expect((await pending).status).toBe(200);
    await stopping;
    expect(registry.checks).toHaveLength(1);
  });

  it('waits for the end of its own call, whose answer the other replicas get', async () => {
    const { connection, registry, held, first, pending, waiting } = await startWaiting();

    const stopping = first.stop();
    held[0]?.write(print(200, answerText()));

    expect((await pending).status).toBe(200);
    expect((await waiting).status).toBe(200);
    await stopping;
    expect(registry.checks).toHaveLength(1);
    expect(await readAll(connection)).toEqual([
      [expect.stringMatching(/:answer:/), expect.any(String)],
    ]);
  });

  it('leaves no claim behind if its own call fails', async () => {
    const { connection, registry, held, first, pending, waiting } = await startWaiting();

    const stopping = first.stop();
    held[0]?.write(print(200, faultText('MS_UNAVAILABLE')));
    expect((await pending).status).toBe(503);
    await stopping;
    await vi.waitFor(() => expect(held).toHaveLength(2), 10_000);
    held[1]?.write(print(200, faultText('MS_UNAVAILABLE')));

    expect((await waiting).status).toBe(503);
    expect(registry.checks).toHaveLength(2);
    await expect.poll(async () => readAll(connection)).toEqual([]);
  });
});
