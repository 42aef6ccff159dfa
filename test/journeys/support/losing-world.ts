import { setTimeout as wait } from 'node:timers/promises';
import type { PlainConfig } from '../../support/plain-config.ts';
import { startService, type TestService } from '../../support/start-service.ts';
import { eventually } from '../../support/eventually.ts';
import { named } from './names.ts';
import { makeSchema, type SharedEngines } from './shared-engines.ts';

/** The host names of the engines of a service of {@link startToLose}. */
export const names = { database: 'database.test', redis: 'redis.test' } as const;

/** A loss of a server, and its end. */
export type Loss = {
  readonly how: string;
  readonly lose: () => Promise<void> | void;
  readonly restore: () => Promise<void> | void;
};

/** Receivers with an unused address, so that nothing is sent. */
export const unusedReceivers: Partial<PlainConfig> = {
  webhookAllowPorts: [1],
  webhookAllowCidrs: ['192.0.2.0/24'],
};

/** A service with two published days; on the engines of the test file, or on SQLite if that is given. */
export async function startToLose(
  engines: SharedEngines | undefined,
  config: Partial<PlainConfig> = {},
): Promise<TestService> {
  return startService({
    at: '2026-11-19T16:00:00Z',
    lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
    config: { ...unusedReceivers, ...(engines && settingsOf(engines)), ...config },
  });
}

function settingsOf({ postgresql, redis }: SharedEngines): Partial<PlainConfig> {
  return {
    databaseUrl: named(makeSchema(postgresql), names.database),
    redisUrl: named(redis.url, names.redis),
    secretKey: '5e'.repeat(32),
  };
}

/** Waits until `/ready` has this status, or this word of its reason. Returns all answers until then, each once. */
export async function becomes(service: TestService, word: string): Promise<readonly string[]> {
  const answers = new Set<string>();
  await eventually(async () => {
    const { status, text } = await service.sendToOps('/ready');
    answers.add(`${status} ${text}`);
    return text.includes(word);
  });
  return [...answers];
}

/** Milliseconds until a condition holds; fails after a minute. */
export async function timeUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  await eventually(async () => {
    const holds = await condition();
    if (!holds) await wait(20);
    return holds;
  });
  return Math.round(performance.now() - startedMs);
}
