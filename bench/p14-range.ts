import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { addDays, isoDate, type IsoDate } from '../src/platform/time/time.ts';
import { cpuReader } from './cpu.ts';
import { listFxDates, openUntilScopeEnds } from './database-contents.ts';
import { type Engine, fillDatabase, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { serverCore } from './load.ts';
import { median, quantile, type Result, temporaryFolder } from './measure.ts';
import { createKey } from './p3-cached-check.ts';

const years = [1, 5, 27];
const someCurrencies = ['USD', 'USD,JPY,GBP,CHF,SEK,NOK,DKK,PLN,CZK,HUF'];
const requestsPerRound = 20;
/** The load of another caller: just below the default rate limit of a key, for 5 s. */
const otherLoad = { everyMs: 101, forMs: 5_000 };

/**
 * P14: the cost of a range of exchange rates.
 *
 * One and ten currencies over 1, 5 and 27 years. Each range is requested once, so none is in memory. The figures are
 * the CPU time of the server, and of the PostgreSQL processes that serve it. Then the time that callers wait for
 * `/rates` is measured while another caller requests all 27 years ten times a second.
 */
export async function measureRange(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    await fillDatabase(engine);
    results.push(...(await measureEngine(engine, folder.path, rounds)));
  }
  return results;
}

async function measureEngine(engine: Engine, folder: string, rounds: number): Promise<Result[]> {
  const url = engine.settings['DATABASE_URL'] ?? '';
  const isServer = !url.startsWith('file:');
  await using database = await openUntilScopeEnds(url);
  const [newest = ''] = await listFxDates(database.db);
  const key = createKey(engine.settings);
  const logFile = join(folder, 'serve.log');
  await using serve = await startApi(engine, { core: serverCore, logFile });
  await using running = new AsyncDisposableStack();
  const dispatcher = new Agent({ connections: 4 });
  running.defer(async () => dispatcher.close());
  const send = async (path: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, body } = await request(serve.apiUrl + path, { dispatcher, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  };
  const nextRange = createRangeSource(isoDate(newest));
  const readCpuMs = cpuReader(serve, isServer ? database.db : undefined);
  const results: Result[] = [];
  for (const currencies of someCurrencies) {
    for (const span of years) {
      const costs: number[] = [];
      // The first request warms up.
      for (let round = -1; round < rounds; round += 1) {
        const before = await readCpuMs();
        for (let n = 0; n < requestsPerRound; n += 1) await send(nextRange(span, currencies));
        if (round >= 0) costs.push(((await readCpuMs()) - before) / requestsPerRound);
      }
      const count = currencies.split(',').length;
      const name = `P14 ${engine.name}, ${count} ${count === 1 ? 'currency' : 'currencies'}, ${span} years`;
      const goal = count === 1 && span === Math.max(...years) ? goals.P14.cpu : '—';
      results.push({ name: `${name}, CPU`, rounds: costs, unit: 'ms a request', goal });
    }
  }
  results.push(...(await measureOthers(engine.name, rounds, { send, nextRange })));
  return results;
}

async function measureOthers(
  engine: string,
  rounds: number,
  {
    send,
    nextRange,
  }: {
    readonly send: (path: string) => Promise<void>;
    readonly nextRange: ReturnType<typeof createRangeSource>;
  },
): Promise<Result[]> {
  const waits: { readonly p50: number; readonly p99: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const endMs = performance.now() + otherLoad.forMs;
    const ranges = async (): Promise<void> => {
      while (performance.now() < endMs) {
        await Promise.all([send(nextRange(27, 'USD')), sleep(otherLoad.everyMs)]);
      }
    };
    const found: number[] = [];
    const others = async (): Promise<void> => {
      while (performance.now() < endMs) {
        const startedMs = performance.now();
        await send('/rates');
        found.push(performance.now() - startedMs);
        await sleep(1);
      }
    };
    await Promise.all([ranges(), others()]);
    waits.push({ p50: median(found), p99: quantile(found, 0.99) });
  }
  const name = `P14 ${engine}, /rates beside 10 ranges of 27 years a second`;
  return [
    { name: `${name}, p50`, rounds: waits.map(({ p50 }) => p50), unit: 'ms', goal: '—' },
    { name: `${name}, p99`, rounds: waits.map(({ p99 }) => p99), unit: 'ms', goal: '—' },
  ];
}

/** Makes a function that returns a new range each time: each range begins and ends a day earlier than the last one. */
function createRangeSource(newest: IsoDate): (years: number, currencies: string) => string {
  let drawn = 0;
  return (span, currencies) => {
    drawn += 1;
    const to = addDays(newest, -(drawn % 300));
    const from = addDays(newest, -Math.round(365.25 * span) - Math.floor(drawn / 300));
    return `/fx/range?from=${from}&to=${to}&currencies=${currencies}`;
  };
}
