import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import type { Db } from '../database.ts';
import { migrate } from '../migrations.ts';
import { createFirstTables } from './0001-first-tables.ts';
import { addKeyLimitsAndUse } from './0002-key-limits-and-use.ts';

const at = '2026-11-01T07:00:00.000Z';
/** Columns that later migrations add. */
const later = { key_id: null, subject: null, body: null };
const event = (date: string) => ({ id: `evt_${date}`, snapshot_date: date, created_at: at });

/** Opens a database of the version before webhooks, with two events. */
async function openWithEvents(): Promise<Db> {
  const db = await openFirstDatabase();
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        '0001-first-tables': { up: createFirstTables },
        '0002-key-limits-and-use': { up: addKeyLimitsAndUse },
      }),
    },
  });
  await migrator.migrateToLatest();
  const rows = [event('2026-10-31'), event('2026-11-01')];
  await db
    .insertInto('events')
    .values(rows.map((row) => ({ ...row, type: 'rates.changed' })))
    .execute();
  return db;
}

describe('0003-webhooks', () => {
  it('keeps every event as it was', async () => {
    const db = await openWithEvents();

    expect((await migrate(db))[0]).toBe('0003-webhooks');

    expect(await db.selectFrom('events').selectAll().orderBy('id').execute()).toEqual([
      { ...event('2026-10-31'), type: 'rates.changed', ...later, position: 1 },
      { ...event('2026-11-01'), type: 'rates.changed', ...later, position: 2 },
    ]);
  });

  it('still refuses a second event of one date, and accepts one of the next date', async () => {
    const db = await openWithEvents();
    await migrate(db);
    const insert = async (date: string): Promise<unknown> =>
      db
        .insertInto('events')
        .values({ ...event(date), id: 'evt_next', type: 'rates.changed' })
        .execute();

    await expect(insert('2026-11-01')).rejects.toThrow(/unique constraint/i);
    await insert('2026-11-02');

    expect(await db.selectFrom('events').select('id').execute()).toHaveLength(3);
  });

  it('accepts any number of events without a snapshot date', async () => {
    const db = await openTemporaryDatabase();
    const test = { type: 'webhook.test', snapshot_date: null, ...later, created_at: at };
    const rows = [
      { id: 'evt_1', ...test },
      { id: 'evt_2', ...test },
    ];

    await db.insertInto('events').values(rows).execute();

    expect(await db.selectFrom('events').selectAll().execute()).toEqual(
      rows.map((row) => ({ ...row, position: null })),
    );
  });

  it('refuses a second delivery of one event to one subscription', async () => {
    const db = await openTemporaryDatabase();
    const delivery = {
      subscription_id: 'sub_a',
      event_id: 'evt_1',
      status: 'pending',
      created_at: at,
      due_at: at,
      attempts_made: 0,
    } as const;
    await db
      .insertInto('webhook_deliveries')
      .values({ id: 'dlv_1', ...delivery })
      .execute();

    const again = db.insertInto('webhook_deliveries').values({ id: 'dlv_2', ...delivery });

    await expect(again.execute()).rejects.toThrow(/unique constraint/i);
  });

  it('leaves the events as they were if it fails halfway', async () => {
    const db = await openWithEvents();
    await sql`create table webhook_attempts (in_the_way text)`.execute(db);

    await expect(migrate(db)).rejects.toThrow('the migration failed; nothing was changed');

    const events = await db.selectFrom('events').select('id').orderBy('id').execute();
    expect(events).toEqual([{ id: 'evt_2026-10-31' }, { id: 'evt_2026-11-01' }]);
  });

  it.each([
    ['the subscriptions of a key', `webhook_subscriptions where key_id = '1' order by created_at`],
    ['the secrets of a subscription', `webhook_secrets where subscription_id = '1'`],
    ['deliveries that are due', `webhook_deliveries where due_at <= '1' order by due_at, id`],
    [
      'the newest deliveries of a subscription',
      `webhook_deliveries where subscription_id = '1' order by created_at desc, id desc`,
    ],
    [
      'the delivery of an event',
      `webhook_deliveries where subscription_id = '1' and event_id = '2'`,
    ],
    [
      'deliveries that are old enough to remove',
      `webhook_deliveries where due_at is null and created_at < '1'`,
    ],
    ['the attempts of a delivery', `webhook_attempts where delivery_id = '1' order by at`],
  ])('finds %s without reading or sorting a whole table', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });
});
