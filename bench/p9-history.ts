import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { createCore } from '../src/composition/core.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { goals } from './goals.ts';
import { type Result, startProgram, temporaryFolder } from './measure.ts';

type Round = { readonly cpuMs: number; readonly wallMs: number; readonly memoryMb: number };

/** Numbers of publications in the file; the goals are set for the full history. */
const sizes = [700, 2_300, Infinity];

/**
 * P9: the cost of the first start, with the full history of exchange rates.
 *
 * The time counts from the first request to the commit, for all three files, with an empty database and in a new
 * process each round. The sandbox is another process; a server in front of it shortens the history.
 */
export async function measureHistory(rounds: number): Promise<Result[]> {
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /ECB_URL=(\S+)/,
  );
  await using historyServer = await startHistoryServer(sandbox.match[1] ?? '');
  const measured = new Map(sizes.map((size) => [size, [] as Round[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [size, found] of measured) {
      const child = fork(import.meta.filename, [historyServer.folderUrl(size)]);
      const [message] = (await once(child, 'message')) as [Round];
      found.push(message);
    }
  }
  return [...measured].flatMap(([size, found]) => {
    const isFull = size === Infinity;
    const [days, bytes] = [size, historyServer.sizeOf(size)];
    const title = `P9 ${isFull ? 'full history' : `${days} days`} (${(bytes / 1e6).toFixed(1)} MB)`;
    const of = (read: (round: Round) => number): number[] => found.map(read);
    const { cpu, memory } = isFull ? goals.P9 : { cpu: '—', memory: '—' };
    return [
      { name: `${title}, CPU`, rounds: of((r) => r.cpuMs), unit: 'ms', goal: cpu },
      { name: `${title}, wall`, rounds: of((r) => r.wallMs), unit: 'ms', goal: '—' },
      { name: `${title}, memory on top`, rounds: of((r) => r.memoryMb), unit: 'MB', goal: memory },
    ];
  });
}

/** Serves the sandbox's files, with as many of the newest publications as the path says. */
async function startHistoryServer(ecbUrl: string): Promise<
  {
    readonly folderUrl: (size: number) => string;
    readonly sizeOf: (size: number) => number;
  } & AsyncDisposable
> {
  const read = async (name: string) => (await fetch(`${ecbUrl}${name}`)).text();
  const history = await read('eurofxref-hist.xml');
  const files = new Map<string, string>();
  for (const name of ['eurofxref-daily.xml', 'eurofxref-hist-90d.xml']) {
    const text = await read(name);
    for (const size of sizes) files.set(`/${size}/${name}`, text);
  }
  for (const size of sizes) files.set(`/${size}/eurofxref-hist.xml`, cut(history, size));
  const server = createServer((request, response) => {
    const text = files.get(request.url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/xml' });
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    folderUrl: (size) => `http://127.0.0.1:${port}/${size}/`,
    sizeOf: (size) => Buffer.byteLength(files.get(`/${size}/eurofxref-hist.xml`) ?? ''),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Removes the older publications from the file, which begins with the newest. */
function cut(history: string, size: number): string {
  const days = [...history.matchAll(/<Cube time=[\s\S]*?<\/Cube>/g)];
  const [first, last] = [days[Math.min(size, days.length)], days.at(-1)];
  if (first === undefined || last === undefined) return history;
  return history.slice(0, first.index) + history.slice(last.index + last[0].length);
}

async function loadOnce(ecbUrl: string): Promise<Round> {
  using folder = temporaryFolder();
  const DATABASE_URL = `file:${join(folder.path, 'vatfx.db')}`;
  const { config } = readConfig({ DATABASE_URL, ECB_URL: ecbUrl }, '');
  const core = await createCore({ config, log: pino({ level: 'silent' }), onMade: () => {} });
  const rssBefore = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const [report] = (await core.jobs.fx.refresh(0)) ?? [];
  const wallMs = performance.now() - startedMs;
  const used = process.cpuUsage(before);
  const memoryMb = (process.resourceUsage().maxRSS * 1_024 - rssBefore) / 2 ** 20;
  await core.stop();
  if (report?.outcome !== 'published') throw new Error(`the run came to ${report?.outcome}`);
  return { cpuMs: (used.user + used.system) / 1_000, wallMs, memoryMb };
}

const [, , ecbUrl] = process.argv;
if (process.send !== undefined && ecbUrl !== undefined) process.send(await loadOnce(ecbUrl));
