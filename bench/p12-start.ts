import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMemoryMb, type Result, startProgram, temporaryFolder } from './measure.ts';

/**
 * P12: how soon does a start answer, and what does it hold when nothing happens?
 *
 * `serve` in a process of its own, on a database with today's rates and the whole history, from the
 * start of the process to the line that says that it listens.
 */
export async function measureStart(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /at (http:\S+)/,
  );
  const url = sandbox.match[1] ?? '';
  const environment = {
    DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`,
    TEDB_URL: `${url}/taxation_customs/tedb/ws/`,
    ECB_URL: `${url}/stats/eurofxref/`,
    PORT: '0',
    OPS_PORT: '0',
  };
  {
    await using first = await startProgram(
      ['bin/vatfx.js', 'serve'],
      environment,
      /"opsUrl":"([^"]+)"/,
    );
    await untilFresh(first.match[1] ?? '');
  }

  const toListening: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    await using serve = await startProgram(['bin/vatfx.js', 'serve'], environment, /listening/);
    toListening.push(performance.now() - startedMs);
    // Start-up leaves garbage behind; what counts is what stays.
    await sleep(3_000);
    idle.push(readMemoryMb(serve));
  }
  return [
    { name: 'P12 start to listening', rounds: toListening, unit: 'ms', goal: '≤ 400' },
    { name: 'P12 idle memory', rounds: idle, unit: 'MB', goal: '≤ 110' },
  ];
}

async function untilFresh(opsUrl: string): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  for (;;) {
    const status = (await (await fetch(`${opsUrl}/status`)).json()) as {
      dataSets: Record<string, { publicationsMissed: number }>;
    };
    if (Object.values(status.dataSets).every((set) => set.publicationsMissed === 0)) return;
    if (performance.now() > deadlineMs) throw new Error('the first start published nothing');
    await sleep(100);
  }
}
