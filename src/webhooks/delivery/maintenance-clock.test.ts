import { describe, expect, it } from 'vitest';
import {
  longAgo,
  noon,
  storeDeliveries,
  storeKey,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { disableFailing, repairDueTimes } from './maintenance.ts';

const noonMs = Date.parse(noon);

describe('repairDueTimes', () => {
  it('makes a delivery due now that a clock which was ahead has moved, and no other', async () => {
    const db = await openTemporaryDatabase();
    const dues = ['2026-11-23T11:00:00.000Z', '2027-11-20T12:00:00.000Z', null];
    const ids = await storeDeliveries(
      db,
      ...dues.map((due_at, n) => ({ event_id: `evt_${n}_`, subscription_id: 'sub_a', due_at })),
    );

    await repairDueTimes(db, noonMs, [0, 86_400]);

    const rows = await db.selectFrom('webhook_deliveries').select(['id', 'due_at']).execute();
    const dueOf = new Map(rows.map(({ id, due_at }) => [id, due_at]));
    expect(ids.map((id) => dueOf.get(id))).toEqual([dues[0], noon, null]);
  });
});

describe('a clock that is not trusted (contract C17a)', () => {
  it('disables only subscriptions of revoked keys', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db, { id: 'key_b', expires_at: longAgo });
    await storeKey(db, { id: 'key_c', revoked_at: longAgo });
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, enabled_at: longAgo });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });
    await storeSubscription(db, { id: 'sub_c', key_id: 'key_c' });

    expect(await disableFailing(db, undefined)).toEqual({ failing: 0, keyEnded: 1 });
  });
});
