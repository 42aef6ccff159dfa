import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import {
  storeDeliveries,
  storeEvent,
  storeSubscription,
} from '../../../../test/support/stored-webhooks.ts';
import type { Kysely } from 'kysely';
import { addEventKeys } from './0010-event-keys.ts';

describe('0010-event-keys', () => {
  it('changes key ended to key_ended, and gives each test event the key of its subscription', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled', disabled_reason: 'key ended' });
    await storeSubscription(db, { id: 'sub_b', status: 'disabled', disabled_reason: 'gone' });
    await storeSubscription(db, { id: 'sub_c' });
    await storeEvent(db, { id: 'evt_1', type: 'webhook.test', snapshot_date: null });
    await storeEvent(db, { id: 'evt_2' });
    await storeDeliveries(
      db,
      { event_id: 'evt_1', subscription_id: 'sub_a' },
      { event_id: 'evt_2', subscription_id: 'sub_c' },
    );
    await db.schema.dropIndex('events_of_key').execute();
    await db.schema.dropIndex('events_of_reader').execute();
    await db.schema.alterTable('events').dropColumn('key_id').execute();

    await addEventKeys(db as unknown as Kysely<unknown>);

    const reasons = db.selectFrom('webhook_subscriptions').select('disabled_reason').orderBy('id');
    expect((await reasons.execute()).map((row) => row.disabled_reason)).toEqual([
      'key_ended',
      'gone',
      null,
    ]);
    const keys = db.selectFrom('events').select('key_id').orderBy('id');
    expect((await keys.execute()).map((row) => row.key_id)).toEqual(['key_a', null]);
  });
});
