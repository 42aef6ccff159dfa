import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { createCore } from '../src/composition/core.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { isoDate } from '../src/platform/time/time.ts';
import { backfillRates } from '../src/rates/backfill.ts';
import { goals } from './goals.ts';
import { type Result, startProgram, temporaryFolder } from './measure.ts';

const span = { from: isoDate('2016-07-01'), to: isoDate('2026-06-30') };

/**
 * P16 (rule G2): the size of ten years of daily snapshots with their rows by goods category, and of a day without changes.
 *
 * The sandbox's answers have the size of the real ones, with a new record of each Member State every half year.
 */
export async function measureCategoryStorage(): Promise<Result[]> {
  using folder = temporaryFolder();
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /TEDB_URL=(\S+)/,
  );
  const file = join(folder.path, 'vatfx.db');
  const { config } = readConfig({ DATABASE_URL: `file:${file}`, TEDB_URL: sandbox.match[1] }, '');
  const core = await createCore({ config, log: pino({ level: 'silent' }), onMade: () => {} });
  const { db, tedb, clock } = core;
  let megabytes = 0;
  let bytesOfDay = 0;
  try {
    const { flagCdnUrl } = config;
    const { signal } = new AbortController();
    await backfillRates(span, { db, tedb, clock, flagCdnUrl, signal, onProgress: () => {} });
    const days = await db.selectFrom('rate_categories').select('sets').execute();
    bytesOfDay = Math.max(...days.map(({ sets }) => sets.length));
  } finally {
    await core.stop();
    megabytes = statSync(file).size / 1e6;
  }
  return [
    {
      name: 'P16 ten years of snapshots',
      rounds: [megabytes],
      unit: 'MB',
      goal: goals.P16.tenYears,
    },
    { name: 'P16 a day without changes', rounds: [bytesOfDay], unit: 'bytes', goal: goals.P16.day },
  ];
}
