import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { trusted } from '../../../test/support/clock-guard.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { keepLog, longAgo, storeEvent } from '../../../test/support/stored-webhooks.ts';
import { isPostgresql, openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { beginEpoch, findWentBack, readMarks } from './epochs.ts';
import { LogMemory } from './log-memory.ts';
import { createEventRetention } from './retention.ts';

/** A process that has read a log: an epoch at 1, and events at the positions from 2 on. */
async function openMemory(events = 3) {
  const db = await openTemporaryDatabase();
  const clock = new SettableClock('2026-11-20T12:00:00Z');
  const { lines, log } = keepLog();
  const memory = new LogMemory({ db, log, clock });
  await beginEpoch(db, 0);
  await memory.open();
  for (let n = 1; n <= events; n += 1) await storeEvent(db, { id: `evt_${n}` });
  expect(await memory.isContradicted()).toBe(false);
  return { db, clock, memory, lines };
}

/** Takes back what was committed after a position, as a failover does. */
async function goBack(db: Db, position: number): Promise<void> {
  await db.deleteFrom('events').where('position', '>', position).execute();
  await db.deleteFrom('event_log_epochs').where('position', '>', position).execute();
  await db.deleteFrom('deleted_events').where('position', '>', position).execute();
  await db.updateTable('event_log').set({ last_position: position }).execute();
  if (isPostgresql) await sql`select setval('event_positions', ${position})`.execute(db);
}

/** The positions at which epochs begin. */
async function epochsOf(db: Db): Promise<readonly number[]> {
  const { epochs } = await readMarks(db, { from: 0, to: 99 });
  return epochs.map(({ position }) => position);
}

describe('LogMemory (rule E8)', () => {
  it.each([
    ['events are gone', 4, 3, [], 2, 4],
    ['their positions are given again', 4, 3, ['evt_a', 'evt_b', 'evt_c'], 2, 4],
    ['one is there again at another position', 4, 3, ['evt_a', 'evt_3'], 2, 4],
    ['only the epoch of the start is gone, as a position is given again', 0, 0, ['evt_a'], 0, 1],
    ['nothing is left', 3, 0, ['evt_a'], 3, 1],
  ])('begins an epoch after what is left if %s', async (_, count, left, given, lost, begins) => {
    const { db, memory, clock } = await openMemory(count);
    await goBack(db, left);
    for (const id of given) await storeEvent(db, { id });

    expect(await memory.isContradicted()).toBe(true);
    await memory.settle(true);

    expect((await epochsOf(db)).at(-1)).toBe(begins);
    expect((await findWentBack(db, clock.now()))?.events).toBe(lost);
    // Later starts and events go on after it, and the same is not noticed again.
    await beginEpoch(db, 0);
    await storeEvent(db, { id: 'evt_z' });
    expect(await memory.isContradicted()).toBe(false);
  });

  it('notices an event that a caller has read between two looks', async () => {
    const { db, memory } = await openMemory();
    await storeEvent(db, { id: 'evt_4' });
    memory.note([{ id: 'evt_4', position: 5 }]);
    await goBack(db, 4);

    expect(await memory.isContradicted()).toBe(true);
  });

  it('begins an epoch after everything that it has read if only a revision is gone', async () => {
    const { db, memory } = await openMemory();

    await memory.settle(true);

    expect(await epochsOf(db)).toEqual([1, 5]);
  });

  it('lets nobody read while the epoch cannot be written, and writes it later', async () => {
    const { db, memory, lines } = await openMemory();
    const [rename, back] = [
      ['event_log', 'away'],
      ['away', 'event_log'],
    ].map(
      ([from, to]) => sql`alter table ${sql.table(from ?? '')} rename to ${sql.table(to ?? '')}`,
    );
    await rename?.execute(db);
    await memory.settle(true);
    expect(() => memory.requireSettled()).toThrow('events: the database went back');

    await back?.execute(db);
    await memory.settle(false);

    expect(() => memory.requireSettled()).not.toThrow();
    expect(await epochsOf(db)).toEqual([1, 5]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'new epoch of the event log not written',
      'the database went back to an earlier state',
    ]);
  });

  it('notices nothing after 90 quiet days of retention, and when an event is deleted with its check', async () => {
    const { db, memory, clock } = await openMemory();
    const retain = createEventRetention({ db, clock, clockGuard: trusted, retentionDays: 90 });
    await db.deleteFrom('events').where('id', '=', 'evt_3').execute();
    expect(await memory.isContradicted()).toBe(false);

    clock.set('2027-02-20T12:00:00Z');
    await retain();

    expect(await db.selectFrom('events').select('id').execute()).toEqual([]);
    expect(await memory.isContradicted()).toBe(false);
    await beginEpoch(db, 0);
    expect(await memory.isContradicted()).toBe(false);
    const kept = await db.selectFrom('deleted_events').select('position').execute();
    expect(kept.map(({ position }) => position)).toEqual([4]);
  });

  it('is told to operators for seven days, also if retention is shorter', async () => {
    const { db, memory, clock } = await openMemory();
    await memory.settle(true);
    const retain = createEventRetention({ db, clock, clockGuard: trusted, retentionDays: 1 });
    for (const id of ['evt_old', 'evt_older']) await storeEvent(db, { id, created_at: longAgo });
    await beginEpoch(db, 0);
    await storeEvent(db, { id: 'evt_last', created_at: longAgo });

    const told: boolean[] = [];
    for (const moment of ['2026-11-27T11:59:00Z', '2026-11-27T12:01:00Z']) {
      clock.set(moment);
      await retain();
      told.push((await findWentBack(db, clock.now())) !== undefined);
    }

    expect(told).toEqual([true, false]);
  });
});
