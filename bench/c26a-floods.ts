import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { engineSqlite, fillDatabase, startApi } from './engines.ts';
import type { FloodReport } from './flood.ts';
import { goals } from './goals.ts';
import { loadCore, requestOnce, serverCore } from './load.ts';
import {
  median,
  quantile,
  type Result,
  runCommand,
  startProgram,
  temporaryFolder,
} from './measure.ts';
import { createKey } from './p3-cached-check.ts';

const run = promisify(execFile);
/** Times below these count as these: they are those of the machine. */
const atLeast = { p50: 3, p99: 20 };
/** The interval at which the other caller sends a request. */
const everyMs = 5;

/** The path of each flood, and whether its requests have a key. */
const floods: Readonly<Record<string, { readonly path: string; readonly hasKey: boolean }>> = {
  'unknown paths': { path: '/nowhere', hasKey: true },
  'malformed dates': { path: '/rates/x', hasKey: true },
  'requests over the rate limit': { path: '/fx', hasKey: true },
  'cached checks': { path: '/vatcheck/DE/100', hasKey: true },
  'requests without a key': { path: '/rates', hasKey: false },
};

type Times = { readonly p50: number; readonly p99: number };

/**
 * C26a: the time that a caller waits while another one sends requests that cost nothing, and the size of the log.
 *
 * Each flood has a key of its own with the default limits, and lasts five seconds (flood.ts). Meanwhile another key requests
 * `/rates`. Its times are divided by the larger of two: its own without a flood, and those of a minimal server that refuses
 * the same flood (closing-server.ts).
 */
export async function measureFloods(rounds: number, seconds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  const engine = engineSqlite(folder.path);
  await fillDatabase(engine);
  const sandboxArgs = ['bin/vatfx.js', 'sandbox', '--port', '0'];
  await using sandbox = await startProgram(sandboxArgs, {}, /VIES_URL=(\S+)/);
  const environment = { VIES_URL: sandbox.match[1] ?? '' };
  const logFile = join(folder.path, 'access.log');
  await using serve = await startApi(engine, { core: serverCore, logFile, environment });
  await using closing = await startProgram(
    ['bench/closing-server.ts', serverCore],
    {},
    /closing at (\S+)/,
  );
  const key = createKey(engine.settings);
  const authorization = `Bearer ${key}`;
  await requestOnce(`${serve.apiUrl}/vatcheck/DE/100`, { authorization }, 200);

  const results: Result[] = [];
  const urls = { service: serve.apiUrl, closing: closing.match[1] ?? '' };
  for (const [name, { path, hasKey }] of Object.entries(floods)) {
    const found: Figures[] = [];
    while (found.length < rounds) {
      const create = ['keys', 'create', '--name', name];
      const flooding = hasKey ? (runCommand(create, engine.settings) as { key: string }).key : '';
      const how = { path, flooding, authorization, logFile, seconds };
      found.push(await measureFlood(urls, how));
    }
    results.push(...toResults(name, found, seconds));
  }
  return results;
}

type Figures = {
  readonly quiet: Times;
  readonly closing: Times;
  readonly flooded: Times;
  readonly answers: number;
  readonly logMb: number;
};

async function measureFlood(
  urls: { readonly service: string; readonly closing: string },
  how: {
    readonly path: string;
    readonly flooding: string;
    readonly authorization: string;
    readonly logFile: string;
    readonly seconds: number;
  },
): Promise<Figures> {
  const { path, flooding, authorization, logFile, seconds } = how;
  const quiet = await timesOf(urls.service, authorization, sleep(seconds * 1_000));
  const refused = sendFlood(`${urls.closing}/flood`, flooding, seconds);
  const closing = await timesOf(urls.closing, authorization, refused);
  truncateSync(logFile);
  const flood = sendFlood(urls.service + path, flooding, seconds);
  const flooded = await timesOf(urls.service, authorization, flood);
  const { answers } = await flood;
  // The number of refusals that are not logged is a line one second after them.
  await sleep(1_500);
  const figures = { quiet, closing, flooded, answers, logMb: statSync(logFile).size / 1e6 };
  if (process.env['BENCH_VERBOSE'] !== undefined) console.error(path, figures);
  return figures;
}

function toResults(name: string, found: readonly Figures[], seconds: number): Result[] {
  const ratioOf = (quantileName: keyof Times): number[] =>
    found.map(({ quiet, closing, flooded }) => {
      const [one, other] = [quiet[quantileName], closing[quantileName]];
      return flooded[quantileName] / Math.max(one, other, atLeast[quantileName]);
    });
  const title = `C26a ${name}`;
  const unit = '× quiet or closing';
  const logs = found.map(({ logMb }) => logMb);
  const answers = found.map((figures) => figures.answers);
  return [
    { name: `${title}, p50 of another key`, rounds: ratioOf('p50'), unit, goal: goals.C26a.p50 },
    { name: `${title}, p99 of another key`, rounds: ratioOf('p99'), unit, goal: goals.C26a.p99 },
    { name: `${title}, log of ${seconds} s`, rounds: logs, unit: 'MB', goal: goals.C26a.log },
    { name: `${title}, answers in ${seconds} s`, rounds: answers, unit: '', goal: '—' },
  ];
}

async function sendFlood(url: string, key: string, seconds: number): Promise<FloodReport> {
  const args = ['bench/flood.ts', loadCore, url, key, `${seconds}`];
  return JSON.parse((await run(process.execPath, args)).stdout) as FloodReport;
}

/** Times in ms of requests for `/rates` until the end of something. */
async function timesOf(url: string, authorization: string, end: Promise<unknown>): Promise<Times> {
  const agent = new Agent({ keepAlive: true });
  const waits: number[] = [];
  const state = { isOver: false };
  void end.then(() => (state.isOver = true));
  while (!state.isOver) {
    const beganMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const request = get(`${url}/rates`, { agent, headers: { authorization } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      request.on('error', reject);
    });
    waits.push(performance.now() - beganMs);
    await sleep(everyMs);
  }
  agent.destroy();
  return { p50: median(waits), p99: quantile(waits, 0.99) };
}
