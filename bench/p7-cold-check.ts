import { join } from 'node:path';
import { Agent, request } from 'undici';
import { goals } from './goals.ts';
import { createKey } from './p3-cached-check.ts';
import { serverCore } from './load.ts';
import { quantile, type Result, startProgram, startServe, temporaryFolder } from './measure.ts';
import { startRegistry } from './vat-registry.ts';

/**
 * P7: the time that the service adds to the registry's own time for a check that is not cached.
 *
 * A registry in this process records when it receives a request and when it has sent its answer. The rest of the
 * caller's wait is the service's, the HTTP of the caller included. Checks are sent one after the other, each for
 * another number. A bare server that only passes them on is measured in turn: most of the wait is the time until the other
 * process runs.
 */
export async function measureColdCheck(rounds: number, checks: number): Promise<Result[]> {
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
  const forwarder = ['bench/bare-forwarder.ts', serverCore, registry.url];
  await using bare = await startProgram(forwarder, {}, /bare at (\S+)/);
  const dispatcher = new Agent({ connections: 1 });

  let number = 100_000;
  const measure = async (url: string, count: number): Promise<readonly number[]> => {
    const added: number[] = [];
    while (added.length < count) {
      number += 1;
      const startedMs = performance.now();
      const response = await request(`${url}/vatcheck/FR/${number}`, {
        dispatcher,
        headers: { authorization: `Bearer ${key}` },
      });
      await response.body.text();
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
      added.push(performance.now() - startedMs - registry.lastMsOf('FR'));
    }
    return added;
  };
  const urls = { service: serve.apiUrl, bare: bare.match[1] ?? '' };
  const p50 = { service: [] as number[], bare: [] as number[] };
  const p99 = { service: [] as number[], bare: [] as number[] };
  const warmUp = 200;
  for (const url of Object.values(urls)) await measure(url, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['service', 'bare'] as const) {
      const added = await measure(urls[name], checks);
      p50[name].push(quantile(added, 0.5));
      p99[name].push(quantile(added, 0.99));
    }
  }
  await dispatcher.close();
  registry.close();
  return [
    { name: 'P7 cold check adds, p50', rounds: p50.service, unit: 'ms', goal: goals.P7.p50 },
    { name: 'P7 cold check adds, p99', rounds: p99.service, unit: 'ms', goal: goals.P7.p99 },
    { name: 'P7 bare server adds, p50', rounds: p50.bare, unit: 'ms', goal: '—' },
    { name: 'P7 bare server adds, p99', rounds: p99.bare, unit: 'ms', goal: '—' },
  ];
}
