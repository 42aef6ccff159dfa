import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { composeCore } from '../src/compose.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { type Result, startProgram, temporaryFolder } from './measure.ts';

type Round = { readonly cpuMs: number; readonly wallMs: number; readonly memoryMb: number };

/**
 * P9: what does the first start cost, with all of the exchange-rate history?
 *
 * From the first request to the commit of about 7,100 days, three files together, on an empty database
 * and in a new process each round; the sandbox is a process of its own.
 */
export async function measureHistory(rounds: number): Promise<Result[]> {
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /ECB_URL=(\S+)/,
  );
  const ecbUrl = sandbox.match[1] ?? '';
  // The sandbox makes its series when it is first asked.
  const file = await (await fetch(`${ecbUrl}eurofxref-hist.xml`)).arrayBuffer();

  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = fork(import.meta.filename, [ecbUrl]);
    const [message] = (await once(child, 'message')) as [Round];
    measured.push(message);
  }
  const size = `${(file.byteLength / 1e6).toFixed(1)} MB`;
  return [
    {
      name: `P9 full history (${size}), CPU`,
      rounds: measured.map((r) => r.cpuMs),
      unit: 'ms',
      goal: '≤ 1200 (6.6 MB)',
    },
    {
      name: 'P9 full history, wall',
      rounds: measured.map((r) => r.wallMs),
      unit: 'ms',
      goal: '—',
    },
    {
      name: 'P9 full history, memory on top',
      rounds: measured.map((r) => r.memoryMb),
      unit: 'MB',
      goal: '≤ 100',
    },
  ];
}

async function loadOnce(ecbUrl: string): Promise<Round> {
  using folder = temporaryFolder();
  const DATABASE_URL = `file:${join(folder.path, 'vatfx.db')}`;
  const { config } = readConfig({ DATABASE_URL, ECB_URL: ecbUrl }, '');
  const core = await composeCore({ config, log: pino({ level: 'silent' }) });
  const rssBefore = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const report = await core.fx.refresh(0);
  const wallMs = performance.now() - startedMs;
  const used = process.cpuUsage(before);
  const memoryMb = (process.resourceUsage().maxRSS * 1_024 - rssBefore) / 2 ** 20;
  await core.stop();
  if (report?.outcome !== 'published') throw new Error(`the run came to ${report?.outcome}`);
  return { cpuMs: (used.user + used.system) / 1_000, wallMs, memoryMb };
}

const [, , ecbUrl] = process.argv;
if (process.send !== undefined && ecbUrl !== undefined) process.send(await loadOnce(ecbUrl));
