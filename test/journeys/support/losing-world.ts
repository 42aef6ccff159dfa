import { setTimeout as wait } from 'node:timers/promises';
import type { PlainConfig } from '../../support/plain-config.ts';
import { startService, type TestService } from '../../support/start-service.ts';
import { eventually } from './eventually.ts';
import { named } from './names.ts';
import { makeSchema, type SharedEngines } from './shared-engines.ts';

/** The names by which a service of {@link startToLose} knows its engines. */
export const names = { database: 'database.test', redis: 'redis.test' } as const;

/** Something to lose, and to get back. */
export type Loss = {
  readonly how: string;
  readonly lose: () => Promise<void> | void;
  readonly restore: () => Promise<void> | void;
};

/** Receivers whose address is nobody's, so that nothing is sent. */
export const nobodyReceives: Partial<PlainConfig> = {
  webhookAllowPorts: [1],
  webhookAllowCidrs: ['192.0.2.0/24'],
};

/** A service with two days published; on engines of the file, unless it is to have its own file. */
export async function startToLose(
  engines: SharedEngines | undefined,
  config: Partial<PlainConfig> = {},
): Promise<TestService> {
  return startService({
    at: '2026-11-19T16:00:00Z',
    lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
    config: { ...nobodyReceives, ...(engines && settingsOf(engines)), ...config },
  });
}

function settingsOf({ postgresql, redis }: SharedEngines): Partial<PlainConfig> {
  return {
    databaseUrl: named(makeSchema(postgresql), names.database),
    redisUrl: named(redis.url, names.redis),
    secretKey: '5e'.repeat(32),
  };
}

/** Waits until `/ready` says this. */
export async function becomes(service: TestService, status: string): Promise<void> {
  await eventually(async () => (await service.askOps('/ready')).text.includes(status), 60_000);
}

/** How long it takes until something holds, in milliseconds; fails after a minute. */
export async function timeUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  await eventually(async () => {
    const holds = await condition();
    if (!holds) await wait(20);
    return holds;
  }, 60_000);
  return Math.round(performance.now() - startedMs);
}
