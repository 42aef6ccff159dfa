import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { cpuReader } from './cpu.ts';
import { fillDatabase, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { measureThroughput, withKey } from './load.ts';
import { type Result, temporaryFolder } from './measure.ts';
import { findFreePort } from '../test/support/server-process.ts';
import { createKey } from './p3-cached-check.ts';
import { runNginx } from './yardsticks.ts';

/**
 * P13: the throughput of two replicas behind nginx, compared with one.
 *
 * `/rates` is requested with PostgreSQL and Redis, through deploy/nginx.conf. Each replica has its own core if the
 * machine has four: nginx, the engines and the load need two. With fewer cores the machine limits the throughput of
 * two replicas, so the CPU time of the replicas for a request is measured as well. If two replicas need the same time
 * as one, only cores are missing.
 */
export async function measureReplicas(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  await fillDatabase(engines.shared);
  const key = createKey(engines.shared.settings);
  const logFile = join(folder.path, 'serve.log');
  await using first = await startApi(engines.shared, { core: '0', logFile });
  await using second = await startApi(engines.shared, { core: '1', logFile });
  const replicas = [first, second];
  const found = { one: [] as Round[], two: [] as Round[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const count of [1, 2] as const) {
      const used = replicas.slice(0, count);
      const readers = used.map((replica) => cpuReader(replica, undefined));
      const readCpuMs = async () => sum(await Promise.all(readers.map(async (read) => read())));
      const behind = used.map(({ apiUrl }) => new URL(apiUrl).host);
      await using nginx = await startNginx(join(folder.path, `nginx-${count}.conf`), behind);
      // The first measurement warms up.
      await measureThroughput(`${nginx.url}/rates`, withKey(key), 1);
      const cpuBeforeMs = await readCpuMs();
      const rate = await measureThroughput(`${nginx.url}/rates`, withKey(key), seconds);
      const cpuMs = (await readCpuMs()) - cpuBeforeMs;
      found[count === 1 ? 'one' : 'two'].push({ rate, cpuUs: (cpuMs * 1_000) / (rate * seconds) });
    }
  }
  const ratios = (of: (round: Round) => number): number[] =>
    found.two.map((two, at) => of(two) / of(found.one[at] ?? { rate: 0, cpuUs: 0 }));
  const goal =
    cpus().length >= 4 ? goals.P13.ofOne : `with 4 cores ${goals.P13.ofOne}, here ${cpus().length}`;
  return [
    {
      name: 'P13 one replica behind nginx',
      rounds: found.one.map((r) => r.rate),
      unit: 'req/s',
      goal: '—',
    },
    { name: 'P13 two replicas', rounds: ratios(({ rate }) => rate), unit: '× one', goal },
    {
      name: 'P13 CPU for a request, one',
      rounds: found.one.map((r) => r.cpuUs),
      unit: 'µs',
      goal: '—',
    },
    {
      name: 'P13 CPU for a request, two',
      rounds: ratios(({ cpuUs }) => cpuUs),
      unit: '× one',
      goal: '—',
    },
  ];
}

type Round = { readonly rate: number; readonly cpuUs: number };

async function startNginx(
  file: string,
  replicas: readonly string[],
): Promise<{ readonly url: string } & AsyncDisposable> {
  const port = await findFreePort();
  const [first = '', second] = replicas;
  const config = readFileSync('deploy/nginx.conf', 'utf8')
    .replaceAll('vatfx-1:8080', first)
    .replaceAll('server vatfx-2:8080', second === undefined ? '# server' : `server ${second}`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('worker_processes auto;', 'worker_processes 1;')
    // All requests come from one address, so nginx must not limit it.
    .replaceAll(/^ *limit_(?:conn|req) .*;$/gm, '')
    .replace('/tmp/nginx.pid', `${file}.pid`)
    .replace('/dev/stdout', `${file}.log`);
  writeFileSync(file, config);
  return runNginx(file, { url: `http://127.0.0.1:${port}` });
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
