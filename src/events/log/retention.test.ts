import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import {
  storeDeliveries,
  storeEvent,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import { createEventRetention } from './retention.ts';
import { trusted } from '../../../test/support/clock-guard.ts';

const old = '2026-08-01T00:00:00.000Z';
const young = '2026-11-19T00:00:00.000Z';
const future = '2036-01-01T00:00:00.000Z';

/** Stores events with these moments, and deletes the old ones on 20 November with a retention of 90 days. */
async function deleteOld(moments: readonly string[], retentionDays = 90) {
  const db = await openTemporaryDatabase();
  for (const [at, created_at] of moments.entries()) {
    await storeEvent(db, { id: `evt_${at + 1}`, created_at });
  }
  const clock = new SettableClock('2026-11-20T12:00:00Z');
  const retain = createEventRetention({ db, clock, clockGuard: trusted, retentionDays });
  await retain();
  return { db, clock, retain };
}

/** The positions that are left, and the last one that was deleted. */
async function stateOf(db: Db) {
  const rows = await db.selectFrom('events').select('position').orderBy('position').execute();
  const log = await db.selectFrom('event_log').select('deleted_position').executeTakeFirstOrThrow();
  return { left: rows.map(({ position }) => position), deleted: log.deleted_position };
}

describe('createEventRetention (rule E5)', () => {
  it.each([
    ['the old events at the beginning', [old, old, young], [3], 2],
    ['nothing if no event is old', [young, young], [1, 2], 0],
    ['no old event after a younger one, so that the log has no hole', [old, young, old], [2, 3], 1],
    ['an event of the future before an old one', [old, future, old, young], [4], 3],
    ['no event of the future before a young one', [old, future, young], [2, 3], 1],
    ['all events if all are old', [old, old], [], 2],
  ])('deletes %s', async (_, moments, left, deleted) => {
    const { db } = await deleteOld(moments);

    expect(await stateOf(db)).toEqual({ left, deleted });
  });

  it('deletes more than a portion, and looks again after an hour', async () => {
    const { db, clock, retain } = await deleteOld(Array.from({ length: 1_001 }, () => old));
    expect(await stateOf(db)).toEqual({ left: [], deleted: 1_001 });
    await storeEvent(db, { id: 'evt_late', created_at: old });

    await retain();
    const soon = await stateOf(db);
    clock.advance(3_600_000);
    await retain();

    expect(soon.left).toEqual([1_002]);
    expect(await stateOf(db)).toEqual({ left: [], deleted: 1_002 });
  });

  it('keeps an event as long as a delivery of it is in the log, and the events after it', async () => {
    const { db, clock, retain } = await deleteOld([]);
    for (const id of ['evt_a1', 'evt_b2', 'evt_c3']) await storeEvent(db, { id, created_at: old });
    await storeSubscription(db, { id: 'sub_a' });
    await storeDeliveries(db, { event_id: 'evt_b2', subscription_id: 'sub_a' });

    clock.advance(3_600_000);
    await retain();

    expect(await stateOf(db)).toEqual({ left: [2, 3], deleted: 1 });
  });
});
