import { describe, expect, it } from 'vitest';
import {
  storeDeliveries,
  storeEvent,
  storeSubscription,
} from '../../../../test/support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
} from '../../../../test/support/temporary-database.ts';

/** Claims the delivery of an event as version 0.1 does, or as this version does. */
async function claim(type: string, by: string): Promise<unknown> {
  const db = await openTemporaryDatabase();
  await storeSubscription(db, { id: 'sub_a' });
  await storeEvent(db, { id: 'evt_1', type });
  await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a' });
  return db.updateTable('webhook_deliveries').set({ claim: by }).execute();
}

describe.skipIf(!isPostgresql)('0019-claims-of-earlier-versions', () => {
  it.each(['categories.changed', 'vat.checked', 'vat.changed'])(
    'refuses that version 0.1 claims a delivery of %s',
    async (type) => {
      await expect(claim(type, '0f'.repeat(12))).rejects.toThrow(
        'only a newer version of vatfx can deliver the event evt_1',
      );
    },
  );

  it.each([
    ['rates.changed', '0f'.repeat(12)],
    ['webhook.test', '0f'.repeat(12)],
    ['vat.checked', `v2.${'0f'.repeat(12)}`],
  ])('accepts the claim of a delivery of %s as %s', async (type, by) => {
    await expect(claim(type, by)).resolves.toHaveLength(1);
  });
});
