import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { openFirstDatabase } from '../../../../test/support/first-database.ts';
import {
  storeDeliveries,
  storeEvent,
  storeSubscription,
} from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { addKeyLimitsAndUse } from './0002-key-limits-and-use.ts';
import { createWebhooks } from './0003-webhooks.ts';
import { limitReplays } from './0008-replay-limits.ts';
import { addEventKeys } from './0010-event-keys.ts';
import { addEventBodies } from './0015-event-bodies.ts';
import { createEventLog } from './0020-event-log.ts';
import { createBankAbsences } from './0034-bank-absences.ts';

// What test/journeys/upgrade.test.ts, with the data of a release, has no row for.

it('0008 keeps the 20 newest attempts of each delivery', async () => {
  const db = await openFirstDatabase();
  await createWebhooks(db as unknown as Kysely<unknown>);
  const attempts = ['dlv_a', 'dlv_b'].flatMap((delivery_id) =>
    Array.from({ length: delivery_id === 'dlv_a' ? 23 : 20 }, (_, n) => ({
      id: `att_${delivery_id}_${n}`,
      delivery_id,
      at: `2026-11-20T12:00:${String(n).padStart(2, '0')}.000Z`,
      status_code: 500,
      duration_ms: 7,
      error: null,
    })),
  );
  await db.insertInto('webhook_attempts').values(attempts).execute();

  await limitReplays(db as unknown as Kysely<unknown>);

  const kept = await db.selectFrom('webhook_attempts').select('id').execute();
  const expected = attempts.filter(({ at }, n) => n >= 23 || at >= '2026-11-20T12:00:03.000Z');
  expect(kept.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
});

it('0010 writes key_ended, and gives each test event the key of its subscription', async () => {
  const db = await openTemporaryDatabase();
  await storeSubscription(db, { id: 'sub_a', status: 'disabled', disabled_reason: 'key ended' });
  await storeSubscription(db, { id: 'sub_b', status: 'disabled', disabled_reason: 'gone' });
  await storeEvent(db, { id: 'evt_1', type: 'webhook.test', snapshot_date: null });
  await storeEvent(db, { id: 'evt_2' });
  await storeDeliveries(
    db,
    { event_id: 'evt_1', subscription_id: 'sub_a' },
    { event_id: 'evt_2', subscription_id: 'sub_b' },
  );
  await db.schema.dropIndex('events_of_key').execute();
  await db.schema.dropIndex('events_of_reader').execute();
  await db.schema.alterTable('events').dropColumn('key_id').execute();

  await addEventKeys(db as unknown as Kysely<unknown>);

  const reasons = db.selectFrom('webhook_subscriptions').select('disabled_reason').orderBy('id');
  const keys = db.selectFrom('events').select('key_id').orderBy('id');
  expect(await reasons.execute()).toEqual([
    { disabled_reason: 'key_ended' },
    { disabled_reason: 'gone' },
  ]);
  expect(await keys.execute()).toEqual([{ key_id: 'key_a' }, { key_id: null }]);
});

it('0020 gives stored events positions in the order of their moments, and later ones to new events', async () => {
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

it('0034 keeps the day up to which version 0.3 has answered', async () => {
  const db = await openTemporaryDatabase();
  const untyped = db as unknown as Kysely<unknown>;
  const read = { complete_through: '2026-11-17', fetched_at: '2026-11-18T16:30:00.000Z' };
  await db
    .insertInto('bank_reads')
    .values({ bank: 'nbp', ...read })
    .execute();
  await db.schema.dropTable('bank_absences').execute();
  await db.schema.alterTable('bank_reads').dropColumn('earlier_through').execute();

  await createBankAbsences(untyped);

  const rows = await db.selectFrom('bank_reads').selectAll().execute();
  expect(rows).toEqual([{ bank: 'nbp', ...read, earlier_through: '2026-11-17' }]);
});
