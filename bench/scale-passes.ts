import { pino } from 'pino';
import type { Db } from '../src/platform/database/database.ts';
import { formatInstant, systemClock } from '../src/platform/time/time.ts';
import { systemTimers } from '../src/platform/time/timers.ts';
import { pruneChecks } from '../src/vat-check/stored/delete-checks.ts';
import { WatchWorker } from '../src/vat-check/watches/watch-worker.ts';
import { deleteEvents } from '../src/webhooks/delete-events.ts';

const watches = 300;
const checks = 2_000;

/** CPU time, in this process, of the work that a replica does for watches and retention in the background. */
export async function measurePasses(db: Db): Promise<Readonly<Record<string, number>>> {
  return {
    'a due watch, ms CPU': await measureWatches(db),
    'a check that retention deletes, ms CPU': await measurePrune(db),
  };
}

/** Makes some watches due, and lets the worker create their checks. */
async function measureWatches(db: Db): Promise<number> {
  const worker = new WatchWorker({
    db,
    clock: systemClock,
    timers: systemTimers,
    log: pino({ level: 'silent' }),
    clockGuard: { isTrusted: true, isDoubted: false },
    prepareCharge: async () => async () => true,
    announce: async () => {},
    watch: { on: () => {} },
  });
  const due = db.selectFrom('vat_watches').select('id').orderBy('due_at').limit(watches);
  const dueAt = formatInstant(Date.now() - 1_000);
  await db.updateTable('vat_watches').set({ due_at: dueAt }).where('id', 'in', due).execute();
  let processed = 0;
  const cpuMs = await measureCpu(async () => {
    while (processed < watches) processed += await worker.pass();
  });
  return cpuMs / processed;
}

/** Deletes the oldest checks as the retention does. */
async function measurePrune(db: Db): Promise<number> {
  let deleted = 0;
  const cpuMs = await measureCpu(async () => {
    deleted = await pruneChecks(db, Date.now(), deleteEvents, checks);
  });
  return cpuMs / deleted;
}

async function measureCpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
