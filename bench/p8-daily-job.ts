import { channel } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { pino } from 'pino';
import { createCore } from '../src/composition/core.ts';
import { readConfig } from '../src/platform/config/config.ts';
import type { Clock } from '../src/platform/time/time.ts';
import { versionAt } from '../src/rates/timetable.ts';
import { goals } from './goals.ts';
import { type Result, startProgram, temporaryFolder } from './measure.ts';

/**
 * P8: the effect of the daily job on concurrent requests.
 *
 * The whole job runs for several days in a row. The sandbox is another process, with answers of the real size. "After
 * the last byte" begins when undici has the end of the answer, and ends with the commit.
 */
export async function measureDailyJob(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /TEDB_URL=(\S+)/,
  );
  // The job's clock is days behind the machine's: without a Date in its answers, the sandbox contradicts no clock.
  const scenarioUrl = new URL('/_scenario', sandbox.match[1]);
  await fetch(scenarioUrl, { method: 'POST', body: '{"dateMinutes": null}' });
  const { config } = readConfig(
    { DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`, TEDB_URL: sandbox.match[1] },
    '',
  );
  const today = Date.now();
  let daysAgo = rounds;
  const clock: Clock = { now: () => today - daysAgo * 86_400_000 };
  const core = await createCore({
    config,
    log: pino({ level: 'silent' }),
    clock,
    onMade: () => {},
  });

  let lastByteMs = 0;
  const onEnd = (): void => {
    lastByteMs = performance.now();
  };
  channel('undici:request:trailers').subscribe(onEnd);
  const afterLastByte: number[] = [];
  const cpu: number[] = [];
  const blocked: number[] = [];
  try {
    for (; daysAgo >= 0; daysAgo -= 1) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const before = process.cpuUsage();
      const reports = await core.jobs.rates.refreshTo(versionAt(clock.now()), 0);
      const doneMs = performance.now();
      const used = process.cpuUsage(before);
      delay.disable();
      const [report] = reports ?? [];
      if (report?.outcome !== 'published') throw new Error(`the run came to ${report?.outcome}`);
      // The first round includes the compilation of the code.
      if (daysAgo === rounds) continue;
      afterLastByte.push(doneMs - lastByteMs);
      cpu.push((used.user + used.system) / 1_000);
      blocked.push(delay.max / 1e6);
    }
  } finally {
    channel('undici:request:trailers').unsubscribe(onEnd);
    await core.stop();
  }
  return [
    { name: 'P8 last byte to commit', rounds: afterLastByte, unit: 'ms', goal: goals.P8.commit },
    { name: 'P8 whole job, CPU', rounds: cpu, unit: 'ms', goal: goals.P8.cpu },
    { name: 'P8 longest event-loop block', rounds: blocked, unit: 'ms', goal: goals.P8.block },
  ];
}
