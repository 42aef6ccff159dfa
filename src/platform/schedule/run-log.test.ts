import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../log/log.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../database/database.ts';
import { bumpRevision } from '../database/replicas/revisions.ts';
import { createMetrics } from '../metrics.ts';
import { addDays, isoDate } from '../time/time.ts';
import { type Lease, Leases } from './lease.ts';
import { RunLog, type RunReport, type RunResult } from './run-log.ts';

const published: RunResult = {
  outcome: 'published',
  version: '2026-11-20',
  changes: 3,
  published: 1,
  inputDigest: 'abc',
};

async function openRunLog() {
  const db = await openTemporaryDatabase();
  const clock = new SettableClock('2026-11-20T07:00:00Z');
  const lines: { readonly [field: string]: unknown }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  const log = createLog('info', { write });
  const metrics = createMetrics();
  const runs = new RunLog(db, { clock, log, metrics });
  const leases = new Leases(db, { clock, holder: 'this' });
  const lease = (await leases.tryAcquire('rates')) as Lease;
  onTestFinished(async () => lease.release());
  const started = { job: 'rates', version: '2026-11-20', lease } as const;
  const counted = async (): Promise<unknown> => (await metrics.runs.get()).values;
  return { db, clock, lines, runs, leases, lease, started, counted };
}

async function bump(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => bumpRevision(tx, 'rates'));
}

const bumps = async (db: Db): Promise<number> =>
  (await db.selectFrom('revisions').selectAll().execute())[0]?.revision ?? 0;

describe('RunLog.record', () => {
  it('records a run that throws as failed, logs it once, and does not reject', async () => {
    const { lines, runs, started, counted } = await openRunLog();

    const report = await runs.record(started, async () => Promise.reject(new Error('tedb: no')));

    expect(report).toMatchObject({ outcome: 'failed', detail: 'tedb: no', published: 0 });
    expect(report.endedAt).not.toBeNull();
    expect(lines.map(({ msg }) => msg)).toEqual(['run failed', 'run ended']);
    expect(await counted()).toEqual([{ labels: { job: 'rates', outcome: 'failed' }, value: 1 }]);
  });

  it('drops the result if its transaction is rolled back', async () => {
    const { db, runs, started } = await openRunLog();

    const report = await runs.record(started, async (run) => {
      await db.transaction().execute(async (tx) => {
        await bumpRevision(tx, 'rates');
        await run.finish(tx, published);
        throw new Error('disk full');
      });
    });

    expect(report).toMatchObject({
      outcome: 'failed',
      detail: 'disk full',
      failure: 'internal',
      published: 0,
    });
    expect(await bumps(db)).toBe(0);
  });

  it('closes the runs that a crash left open, of the same job only', async () => {
    const { db, runs, started } = await openRunLog();
    const open = {
      version: null,
      started_at: '2026-11-19T07:00:00.000Z',
      changes: 0,
      published: 0,
    };
    await db
      .insertInto('runs')
      .values([
        { id: 'run_crashed', job: 'rates', ...open },
        { id: 'run_other', job: 'fx', ...open },
      ])
      .execute();

    await runs.record(started, async () => bump(db));

    const outcomes = Object.fromEntries((await runs.list(10)).map((run) => [run.id, run]));
    expect(outcomes['run_crashed']).toMatchObject({
      outcome: 'failed',
      endedAt: '2026-11-20T07:00:00.000Z',
      detail: 'the process ended before the run did',
      failure: 'interrupted',
    });
    expect(outcomes['run_other']).toMatchObject({ outcome: null, endedAt: null });
  });
});

describe('RunLog.list', () => {
  async function openWithRuns(count: number) {
    const opened = await openRunLog();
    const first = isoDate('2020-01-01');
    const rows = Array.from({ length: count }, (_, at) => ({
      id: `run_${at}`,
      job: 'rates',
      version: null,
      started_at: `${addDays(first, at)}T07:00:00.000Z`,
      ended_at: null,
      outcome: 'unchanged',
      changes: 0,
      published: 0,
    }));
    await opened.db.insertInto('runs').values(rows).execute();
    await opened.db
      .insertInto('runs')
      .values({ ...rows[0], id: 'fx', job: 'fx' } as never)
      .execute();
    return opened;
  }
  const ids = (reports: readonly RunReport[]): string[] => reports.map(({ id }) => id);

  it('keeps the newest thousand of each job', async () => {
    const { runs, started } = await openWithRuns(1_005);

    const report = await runs.record(started, async () => Promise.reject(new Error('no')));

    const kept = ids(await runs.list(2_000, 'rates'));
    expect(kept[0]).toBe(report.id);
    expect(kept.slice(1)).toEqual(Array.from({ length: 1_000 }, (_, at) => `run_${1_004 - at}`));
    expect(await runs.list(10, 'fx')).toHaveLength(1);
  });
});
