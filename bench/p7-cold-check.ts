import { join } from 'node:path';
import { Agent, request } from 'undici';
import { goals } from './goals.ts';
import { createKey } from './p3-cached-check.ts';
import { serverCore } from './load.ts';
import { quantile, type Result, startServe, temporaryFolder } from './measure.ts';
import { startRegistry } from './vat-registry.ts';

/**
 * P7: the time that the service adds to the registry's own time for a check that is not cached.
 *
 * A registry in this process records when it receives a request and when it has sent its answer. The rest of the
 * caller's wait is the service's, the HTTP of the caller included. Checks are sent one after the other, each for
 * another number.
 */
export async function measureColdCheck(checks: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const registry = await startRegistry();
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    VIES_URL: registry.url,
    VIES_CALLS_PER_DAY: 'none',
    JOBS: 'off',
    LOG_LEVEL: 'info',
  };
  const key = createKey(environment);
  const logFile = join(folder.path, 'access.log');
  await using serve = await startServe(environment, { core: serverCore, logFile });
  const dispatcher = new Agent({ connections: 1 });

  const added: number[] = [];
  const warmUp = 200;
  for (let n = 0; n < checks + warmUp; n += 1) {
    const startedMs = performance.now();
    const response = await request(`${serve.apiUrl}/vatcheck/FR/${100_000 + n}`, {
      dispatcher,
      headers: { authorization: `Bearer ${key}` },
    });
    await response.body.text();
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
    if (n >= warmUp) added.push(performance.now() - startedMs - registry.lastMsOf('FR'));
  }
  await dispatcher.close();
  registry.close();
  return [
    {
      name: 'P7 cold check adds, p50',
      rounds: [quantile(added, 0.5)],
      unit: 'ms',
      goal: goals.P7.p50,
    },
    {
      name: 'P7 cold check adds, p99',
      rounds: [quantile(added, 0.99)],
      unit: 'ms',
      goal: goals.P7.p99,
    },
  ];
}
