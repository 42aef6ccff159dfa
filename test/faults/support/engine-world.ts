import { onTestFinished } from 'vitest';
import { unusedReceivers } from '../../journeys/support/losing-world.ts';
import { makeSchema, type SharedEngines } from '../../journeys/support/shared-engines.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { startService, type TestService } from '../../support/start-service.ts';

export type EngineWorld = {
  readonly service: TestService;
  readonly proxies: { readonly database: FaultProxy; readonly redis: FaultProxy };
};

/** A service with a day published, on engines of the file, with a proxy before each; for one test. */
export async function startBehindProxies(
  { postgresql, redis }: SharedEngines,
  seed: number,
): Promise<EngineWorld> {
  // Begun first and ended last, because the service closes its connections through them.
  const proxies = {
    database: await FaultProxy.open(postgresql.port, seed),
    redis: await FaultProxy.open(redis.port, seed + 1),
  };
  const service = await startService({
    lived: ['2026-11-20T16:00:00Z'],
    config: {
      ...unusedReceivers,
      databaseUrl: proxies.database.urlOf(makeSchema(postgresql)),
      redisUrl: proxies.redis.urlOf(redis.url),
      secretKey: '5e'.repeat(32),
    },
  });
  // A fault that lasts would delay the end of the service.
  onTestFinished(() => {
    for (const proxy of Object.values(proxies)) proxy.heal();
  });
  return { service, proxies };
}
