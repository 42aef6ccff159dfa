import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKey, startServe } from '../journeys/support/serve-process.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { Caller, createCaller, type Replicas, startReplicas } from './support/replicas.ts';
import { hasRedis, shareRedis } from '../support/open-redis.ts';
import { answerText } from './support/vies-texts.ts';

const path = '/vatcheck/AT/U99999901';
const equalChecks = countOf({ full: 1_000, perCommit: 300 });
const answer = print(200, answerText());
const redis = shareRedis();

/** Three replicas, with a registry that holds each call until a test answers it. */
async function startHeld(viesTimeoutMs = 25_000) {
  const held: Socket[] = [];
  const registry = await RawRegistry.start((socket) => void held.push(socket));
  onTestFinished(async () => registry[Symbol.asyncDispose]());
  const config = { redisUrl: redis().url, viesUrl: registry.url, viesTimeoutMs };
  const replicas = await startReplicas(config);
  // Use of keys without limits is not shared between replicas.
  const caller = await createCaller(replicas, { quota: 100_000 });
  return { held, registry, replicas, caller, config };
}

/** Waits until so many requests of a caller are charged: then they wait for the registry or for each other. */
async function untilCharged(caller: Caller, replicas: Replicas, count: number): Promise<void> {
  await expect.poll(async () => caller.countCharged(replicas[0])).toBe(count);
}

describe.skipIf(!hasRedis)(
  'equal checks at the same time on several replicas (contract C24)',
  () => {
    it('make one call for hundreds on three replicas, and each is charged', async () => {
      const { held, registry, replicas, caller } = await startHeld();

      const asked = Array.from({ length: equalChecks }, async (_, at) =>
        caller.get(replicas[at % 3] ?? replicas[0], path),
      );
      await untilCharged(caller, replicas, equalChecks);
      for (const socket of held) socket.write(answer);
      const answers = await Promise.all(asked);

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(equalChecks);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(registry.checks).toHaveLength(1);
      reportFigure(
        'R14',
        `${answers.length} parallel equal checks on ${replicas.length} replicas: ` +
          `${registry.checks.length} upstream call`,
      );
    });

    it('are answered if Redis is lost while they wait, with one call per replica', async () => {
      const { held, registry, replicas, caller } = await startHeld();
      onTestFinished(async () => redis().restart());

      const asked = replicas.map(async (replica) => caller.get(replica, path));
      await untilCharged(caller, replicas, 3);
      await redis().kill();
      await vi.waitFor(() => expect(held).toHaveLength(3), 10_000);
      for (const socket of held) socket.write(answer);

      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(registry.checks).toHaveLength(3);
    });

    it('are answered soon after the replica that made their call was killed', async () => {
      const { held, registry, replicas, config } = await startHeld();
      const env = {
        ...databaseSettings(replicas[0].config.databaseUrl),
        REDIS_URL: config.redisUrl,
        VIES_URL: config.viesUrl,
        VIES_TIMEOUT_MS: String(config.viesTimeoutMs),
        PORT: '0',
        OPS_PORT: '0',
        JOBS: 'off',
      };
      const caller = new Caller(await createKey(env));
      const killed = await startServe(env);

      const lost = caller.sendRequest(killed.apiUrl, path).catch(() => 'lost');
      await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
      const asked = [caller.get(replicas[0], path), caller.get(replicas[1], path)];
      await untilCharged(caller, replicas, 3);
      killed.process.signal('SIGKILL');
      // Long before the 23.5 s after which they would stop waiting.
      await vi.waitFor(() => expect(held).toHaveLength(2), 10_000);
      held[1]?.write(answer);

      for (const { status, text } of await Promise.all(asked)) {
        expect([status, JSON.parse(text)]).toMatchObject([200, { valid: true }]);
      }
      expect(await lost).toBe('lost');
      expect(registry.checks).toHaveLength(2);
    });
  },
);
