import { describe, expect, it } from 'vitest';
import type { Db } from '../platform/database/database.ts';
import { noon, storeKey, storeSubscription } from '../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import { announce } from './outbox.ts';

const ratesChanged = { type: 'rates.changed', snapshotDate: '2026-11-20', at: noon } as const;
const afterNoon = '2026-11-20T12:00:00.001Z';

/** An event of one key. */
const ofKey = {
  type: 'webhook.test',
  keyId: 'key_a',
  subject: 'vc_1',
  at: noon,
  fields: { check: { id: 'vc_1', name: 'Müller' } },
} as const;

/** Announces in a transaction of its own; returns the event's id. */
async function announceIn(db: Db, event: Parameters<typeof announce>[1] = ratesChanged) {
  const before = await db.selectFrom('events').select('id').execute();
  await db.transaction().execute(async (tx) => announce(tx, event));
  const after = await db.selectFrom('events').select('id').execute();
  return after.find(({ id }) => !before.some((one) => one.id === id))?.id ?? '';
}

async function receiversOf(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('subscription_id')
    .orderBy('subscription_id')
    .execute();
  return rows.map((row) => row.subscription_id);
}

describe('announce (contract C31)', () => {
  it.each([
    ['is disabled', { status: 'disabled' as const, disabled_reason: 'requested' }, {}],
    ['names no event', { events: '[]' }, {}],
    ['names other events', { events: '["rates.changed.later","xrates.changed"]' }, {}],
    ['has a key that was revoked', {}, { revoked_at: noon }],
    ['has a key that will be revoked by its date', {}, { revoked_at: afterNoon }],
    ['has a key that ends now', {}, { expires_at: noon }],
    ['has no key', { key_id: 'key_none' }, {}],
  ])('writes none for a subscription that %s', async (_, own, ownOfKey) => {
    const db = await openTemporaryDatabase();
    await storeKey(db, ownOfKey);
    await storeSubscription(db, { id: 'sub_a', ...own });

    await announceIn(db);

    expect(await receiversOf(db)).toEqual([]);
  });

  it.each([
    ['a public type with a key', { ...ofKey, type: 'rates.changed' as const }],
    ['the type of a key without one', { ...ratesChanged, type: 'webhook.test' as const }],
  ])('refuses %s', async (_, event) => {
    const db = await openTemporaryDatabase();

    await expect(announceIn(db, event)).rejects.toThrow('scope');
  });

  it('leaves neither event nor deliveries when its transaction is rolled back', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db);
    await storeSubscription(db, { id: 'sub_a' });

    const rolledBack = db.transaction().execute(async (tx) => {
      await announce(tx, ratesChanged);
      throw new Error('the snapshot was not written');
    });

    await expect(rolledBack).rejects.toThrow('the snapshot was not written');
    expect(await db.selectFrom('events').selectAll().execute()).toEqual([]);
    expect(await receiversOf(db)).toEqual([]);
  });

  it('refuses a second event of the same date, and gives another date another id', async () => {
    const db = await openTemporaryDatabase();
    const id = await announceIn(db);

    const again = announceIn(db, { ...ratesChanged, at: afterNoon });

    await expect(again).rejects.toThrow(/unique constraint/i);
    expect(await announceIn(db, { ...ratesChanged, snapshotDate: '2026-11-21' })).not.toBe(id);
  });
});
