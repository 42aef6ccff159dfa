import { createKey, type KeyChange } from '../../../src/access/authentication/key-changes.ts';
import type { PlainConfig } from '../../support/plain-config.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import { systemTimers, type Timers } from '../../../src/platform/time/timers.ts';
import type { Answer } from '../../support/send-request.ts';
import { startService, type TestService } from '../../support/start-service.ts';

/** Three services on one database, like replicas; they end with the test. */
export type Replicas = readonly [TestService, TestService, TestService];

export async function startReplicas(
  config: Partial<PlainConfig>,
  timers: Timers = systemTimers,
): Promise<Replicas> {
  const first = await startService({ config, timers });
  const { databaseUrl } = first.config;
  const start = async () => startService({ config: { ...config, databaseUrl }, timers });
  return [first, await start(), await start()];
}

/** A caller of any replica, with a key that has these limits. */
export async function createCaller([{ core }]: Replicas, limits: KeyChange): Promise<Caller> {
  const at = formatInstant(core.clock.now());
  const unlimited = { rateLimit: 'none', quota: 'none' } as const;
  const { key } = await createKey(core.db, { name: 'caller', ...unlimited, ...limits, at });
  return new Caller(key);
}

class Caller {
  readonly #headers: { readonly authorization: string };

  constructor(key: string) {
    this.#headers = { authorization: `Bearer ${key}` };
  }

  async get(replica: TestService, path: string): Promise<Answer> {
    return replica.get(path, this.#headers);
  }

  /** Requests charged this month, as any replica reports them. */
  async countCharged(replica: TestService): Promise<number> {
    const { text } = await this.get(replica, '/usage');
    return (JSON.parse(text) as { quota: { used: number } }).quota.used;
  }
}
