import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import { storeEvent } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { addKeyLimitsAndUse } from './0002-key-limits-and-use.ts';
import { createWebhooks } from './0003-webhooks.ts';
import { addEventKeys } from './0010-event-keys.ts';
import { addEventBodies } from './0015-event-bodies.ts';
import { createEventLog } from './0020-event-log.ts';

describe('0020-event-log', () => {
  it.each([
    [
      'the next events of a key and a type',
      "events where key_id = 'key_a' and type = 'vat.checked' and position > 5 and position <= 9 order by position",
    ],
    [
      'the next public events of a type',
      "events where key_id is null and type = 'rates.changed' and position > 5 and position <= 9 order by position",
    ],
    ['the next events', 'events where position > 5 and position <= 9 order by position'],
    ['the epoch of a position', 'event_log_epochs where position <= 9 order by position desc'],
  ])('finds %s by an index', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });

  it('gives each event of the log the next position, also after the last one was deleted', async () => {
    const db = await openTemporaryDatabase();
    await storeEvent(db, { id: 'evt_1' });
    await storeEvent(db, { id: 'evt_2', type: 'webhook.test', snapshot_date: null });
    await storeEvent(db, { id: 'evt_3' });
    await db.deleteFrom('events').where('id', '=', 'evt_3').execute();
    await storeEvent(db, { id: 'evt_4' });

    const rows = await db.selectFrom('events').select(['id', 'position']).orderBy('id').execute();

    expect(rows).toEqual([
      { id: 'evt_1', position: 1 },
      { id: 'evt_2', position: null },
      { id: 'evt_4', position: 3 },
    ]);
  });

  it('gives stored events positions in the order of their moments, and later ones to new events', async () => {
    const db = await openFirstDatabase();
    const untyped = db as unknown as Kysely<unknown>;
    for (const up of [addKeyLimitsAndUse, createWebhooks, addEventKeys, addEventBodies]) {
      await up(untyped);
    }
    const later = { id: 'evt_0', created_at: '2026-11-21T07:00:00.000Z' };
    const test = { id: 'evt_1', type: 'webhook.test', snapshot_date: null };
    for (const own of [later, test, { id: 'evt_3' }, { id: 'evt_2' }]) await storeEvent(db, own);

    await createEventLog(untyped);
    await storeEvent(db, { id: 'evt_4' });

    const rows = await db.selectFrom('events').select(['id', 'position']).execute();
    expect(Object.fromEntries(rows.map(({ id, position }) => [id, position]))).toEqual({
      evt_1: null,
      evt_2: 1,
      evt_3: 2,
      evt_0: 3,
      evt_4: 4,
    });
  });

  it('keeps a position that is given, as a copy does', async () => {
    const db = await openTemporaryDatabase();

    await storeEvent(db, { id: 'evt_1', position: 7_000_000_000 });

    const row = await db.selectFrom('events').select('position').executeTakeFirst();
    expect(row).toEqual({ position: 7_000_000_000 });
  });
});
