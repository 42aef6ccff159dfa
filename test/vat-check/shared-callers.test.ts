import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { type Caller, createCaller, type Replicas, startReplicas } from './support/replicas.ts';
import { hasRedis, shareRedis } from '../support/open-redis.ts';
import { answerText, faultText } from './support/vies-texts.ts';

const path = '/vatcheck/AT/U99999901';
const equalChecks = countOf({ full: 1_000, perCommit: 300 });
const answer = print(200, answerText());
const fault = (code: string): Buffer => print(200, faultText(code));
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
  return { held, registry, replicas, caller };
}

/** Waits until so many requests of a caller are charged: then they wait for the registry or for each other. */
async function untilCharged(caller: Caller, replicas: Replicas, count: number): Promise<void> {
  await expect.poll(async () => caller.countCharged(replicas[0])).toBe(count);
}

describe.skipIf(!hasRedis)(
  'equal checks at the same time on several replicas (contract C24)',
  () => {
    it('make one call per replica for hundreds, and each is charged', async () => {
      const { held, registry, replicas, caller } = await startHeld();

      const asked = Array.from({ length: equalChecks }, async (_, at) =>
        caller.get(replicas[at % 3] ?? replicas[0], path),
      );
      await untilCharged(caller, replicas, equalChecks);
      await expect.poll(() => held.length).toBe(3);
      for (const socket of held) socket.write(answer);
      const answers = await Promise.all(asked);

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(equalChecks);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(registry.checks).toHaveLength(3);
      reportFigure(
        'R14',
        `${answers.length} parallel equal checks on ${replicas.length} replicas: ` +
          `${registry.checks.length} upstream calls`,
      );
    });

    it.each([
      ['MS_UNAVAILABLE', fault('MS_UNAVAILABLE'), errorForm(503, 'MS_UNAVAILABLE')],
      ['MS_MAX_CONCURRENT_REQ', fault('MS_MAX_CONCURRENT_REQ'), errorForm(503, 'MS_UNAVAILABLE')],
      ['SERVICE_UNAVAILABLE', fault('SERVICE_UNAVAILABLE'), errorForm(503, 'SERVICE_UNAVAILABLE')],
      ['SERVER_BUSY', fault('SERVER_BUSY'), errorForm(503, 'SERVICE_UNAVAILABLE')],
      ['TIMEOUT', fault('TIMEOUT'), errorForm(503, 'TIMEOUT')],
      ['INVALID_INPUT', fault('INVALID_INPUT'), errorForm(422, 'INVALID_INPUT')],
    ])('have the same error after %s, with one call per replica', async (_, bytes, error) => {
      const { held, registry, replicas, caller } = await startHeld();

      const asked = replicas.map(async (replica) => caller.get(replica, path));
      await untilCharged(caller, replicas, 3);
      await answerAll(held, bytes, asked);

      for (const one of await Promise.all(asked)) expect(formOf(one)).toEqual(error);
      expect(registry.checks).toHaveLength(3);
    });

    it.each([
      ['IP_BLOCKED', fault('IP_BLOCKED')],
      ['an unknown code', fault('NEW_CODE')],
      ['a web page', print(200, '<html/>', { 'Content-Type': 'text/html' })],
      ['an answer that cannot be read', print(200, '<x/>')],
    ])('are each 502 after %s', async (_, bytes) => {
      const { held, registry, replicas, caller } = await startHeld();

      const asked = replicas.map(async (replica) => caller.get(replica, path));
      await untilCharged(caller, replicas, 3);
      await answerAll(held, bytes, asked);

      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
      expect(registry.checks).toHaveLength(3);
    });
  },
);

/** Answers each call immediately, until all callers are answered. */
async function answerAll(
  held: readonly Socket[],
  bytes: Buffer,
  asked: readonly Promise<unknown>[],
): Promise<void> {
  let answered = 0;
  const answering = setInterval(() => {
    for (; answered < held.length; answered += 1) held[answered]?.write(bytes);
  }, 5);
  await Promise.all(asked).finally(() => clearInterval(answering));
}
