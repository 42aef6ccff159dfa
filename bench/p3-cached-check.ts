import { join } from 'node:path';
import { measureThroughput, serverCore, withKey } from './load.ts';
import { type Result, runCommand, startProgram, startServe, temporaryFolder } from './measure.ts';

/**
 * P3: what does a VAT check cost that is answered from the cache?
 *
 * wrk against `serve` and against the bare server with the same body, each alone on the same core, in
 * turn. Everything is on: key, metrics, and the access log to a file, or off.
 */
export async function measureCachedCheck(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /VIES_URL=(\S+)/);
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    VIES_URL: sandbox.match[1] ?? '',
    JOBS: 'off',
  };
  const key = createKey(environment);

  const ratios: Record<'info' | 'warn', number[]> = { info: [], warn: [] };
  const bareRates: number[] = [];
  for (const level of ['info', 'warn'] as const) {
    const logFile = join(folder.path, 'access.log');
    const core = serverCore;
    await using serve = await startServe({ ...environment, LOG_LEVEL: level }, { core, logFile });
    const url = `${serve.apiUrl}/vatcheck/DE/100`;
    const body = await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text();
    const bareArgs = ['bench/bare-server.ts', core, body];
    await using bare = await startProgram(bareArgs, {}, /bare at (\S+)/);
    const bareUrl = bare.match[1] ?? '';
    await measureThroughput(url, withKey(key), 1);
    await measureThroughput(bareUrl, withKey(key), 1);
    for (let round = 0; round < rounds; round += 1) {
      const ours = await measureThroughput(url, withKey(key), seconds);
      const theirs = await measureThroughput(bareUrl, withKey(key), seconds);
      ratios[level].push(ours / theirs);
      bareRates.push(theirs);
    }
  }
  return [
    { name: 'P3 bare server', rounds: bareRates, unit: 'req/s', goal: '—' },
    { name: 'P3 cached check, log off', rounds: ratios.warn, unit: '× bare', goal: '≥ 1.3' },
    { name: 'P3 cached check, log on', rounds: ratios.info, unit: '× bare', goal: '≥ 1.1' },
  ];
}

/** A key that may be used without end, from the command line like an operator's. */
export function createKey(environment: Readonly<Record<string, string>>): string {
  const limits = ['--rate-limit', '1000000000', '--quota', '1000000000'];
  const created = runCommand(['keys', 'create', '--name', 'bench', ...limits], environment);
  return (created as { key: string }).key;
}
