import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  longAgo,
  noon,
  storeDeliveries,
  storedDelivery,
  storedSubscription,
  storeEvent,
  storeKey,
  storeTest,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { findSecrets } from './secret-store.ts';
import {
  findSubscription,
  insertSubscription,
  listSubscriptions,
  removeSubscription,
  updateSubscription,
} from './store.ts';

const wanted = {
  keyId: 'key_a',
  url: new URL('https://shop.example/hooks?of=vatfx'),
  events: ['rates.changed'],
  description: 'the shop',
  at: noon,
  seal: (id: string) => `sealed for ${id}`,
} as const;

const by = { at: noon, keyId: 'key_a' };

async function insert(db: Db, own: Partial<Parameters<typeof insertSubscription>[1]> = {}) {
  const inserted = await insertSubscription(db, { ...wanted, ...own });
  return inserted?.id ?? '';
}

describe('insertSubscription (contract C27)', () => {
  it('stores an enabled subscription with its secret, and returns it', async () => {
    const db = await openTemporaryDatabase();

    const inserted = await insertSubscription(db, wanted);

    const { id = '' } = inserted ?? {};
    expect(id).toMatch(/^sub_[0-9a-f]{16}$/);
    expect(inserted).toEqual({
      id,
      keyId: 'key_a',
      url: 'https://shop.example/hooks?of=vatfx',
      events: ['rates.changed'],
      description: 'the shop',
      status: 'enabled',
      disabledReason: undefined,
      createdAt: noon,
    });
    expect(await findSubscription(db, id)).toEqual(inserted);
    expect(await findSecrets(db, [id], noon)).toEqual(new Map([[id, [`sealed for ${id}`]]]));
  });

  it('begins without failures', async () => {
    const db = await openTemporaryDatabase();

    const id = await insert(db);

    expect(await storedSubscription(db, id)).toMatchObject({
      enabled_at: noon,
      last_success_at: null,
      exhausted_events: 0,
      failing: 0,
    });
  });

  it('stores at most ten for each key, disabled ones included', async () => {
    const db = await openTemporaryDatabase();
    for (let n = 1; n <= 9; n += 1)
      await storeSubscription(db, { id: `sub_${n}`, status: 'disabled' });

    const ids = [await insert(db), await insert(db), await insert(db, { keyId: 'key_b' })];

    expect(ids).toEqual([expect.stringMatching(/^sub_/), '', expect.stringMatching(/^sub_/)]);
    expect(await listSubscriptions(db, 'key_a')).toHaveLength(10);
  });

  it('never stores an eleventh when two processes store at the same time', async () => {
    const [db, otherDb] = await openTwice();
    await storeKey(db);

    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => insert(n % 2 === 0 ? db : otherDb)),
    );

    expect(await listSubscriptions(db, 'key_a')).toHaveLength(10);
  });

  it('stores nothing if the secret cannot be encrypted', async () => {
    const db = await openTemporaryDatabase();
    const seal = (): string => {
      throw new Error('no key');
    };

    await expect(insertSubscription(db, { ...wanted, seal })).rejects.toThrow('no key');

    expect(await listSubscriptions(db)).toEqual([]);
  });
});

describe('listSubscriptions (contract C27)', () => {
  it('returns the subscriptions of a key, or of all keys, oldest first', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_c', created_at: noon });
    await storeSubscription(db, { id: 'sub_b', created_at: noon });
    await storeSubscription(db, { id: 'sub_d', created_at: longAgo });
    await storeSubscription(db, { id: 'sub_a', key_id: 'key_b', created_at: noon });

    const [ofKey, ofAll] = [await listSubscriptions(db, 'key_a'), await listSubscriptions(db)];

    expect(ofKey.map(({ id }) => id)).toEqual(['sub_d', 'sub_b', 'sub_c']);
    expect(ofAll.map(({ id }) => id)).toEqual(['sub_d', 'sub_a', 'sub_b', 'sub_c']);
  });
});

describe('findSubscription (contract C27)', () => {
  it('has the reason key_ended if a replica of version 0.1 has written `key ended`', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled', disabled_reason: 'key ended' });

    expect(await findSubscription(db, 'sub_a')).toMatchObject({ disabledReason: 'key_ended' });
  });
});

describe('updateSubscription (contract C27)', () => {
  it.each([
    ['the URL', { url: new URL('https://other.example/') }, { url: 'https://other.example/' }],
    ['the events', { events: [] }, { events: [] }],
    ['the description', { description: 'another' }, { description: 'another' }],
    ['the description to none', { description: null }, { description: undefined }],
    ['nothing', {}, {}],
  ])('changes %s, and keeps the other fields', async (_, change, expected) => {
    const db = await openTemporaryDatabase();
    const [id, otherId] = [await insert(db), await insert(db)];
    const [before, other] = [await findSubscription(db, id), await findSubscription(db, otherId)];

    const updated = await updateSubscription(db, id, change, by);

    expect(updated).toEqual({ ...before, ...expected });
    expect(await findSubscription(db, id)).toEqual(updated);
    expect(await findSubscription(db, otherId)).toEqual(other);
  });

  it('returns undefined for an unknown subscription', async () => {
    const db = await openTemporaryDatabase();

    expect(await updateSubscription(db, 'sub_none', { description: 'x' }, by)).toBeUndefined();
  });
});

describe('updateSubscription: the status (contract C27, C29)', () => {
  const failed = { exhausted_events: 3, failing: 1, last_success_at: longAgo } as const;

  it('enables a disabled subscription, and clears its failures', async () => {
    const db = await openTemporaryDatabase();
    const off = { status: 'disabled', disabled_reason: 'failing', ...failed } as const;
    await storeSubscription(db, { id: 'sub_a', ...off });
    await storeSubscription(db, { id: 'sub_b', ...off });

    await updateSubscription(db, 'sub_a', { status: 'enabled' }, by);

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      enabled_at: noon,
      exhausted_events: 0,
      failing: 0,
      last_success_at: longAgo,
    });
    expect(await storedSubscription(db, 'sub_b')).toMatchObject(off);
  });

  it('disables an enabled subscription, and stores the reason', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', ...failed });

    await updateSubscription(db, 'sub_a', { status: 'disabled' }, by);

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({
      status: 'disabled',
      disabled_reason: 'requested',
      enabled_at: longAgo,
      ...failed,
    });
  });

  it('changes nothing if the subscription has the status already', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', ...failed });
    await storeSubscription(db, { id: 'sub_b', status: 'disabled', disabled_reason: 'gone' });
    const before = [await storedSubscription(db, 'sub_a'), await storedSubscription(db, 'sub_b')];

    await updateSubscription(db, 'sub_a', { status: 'enabled' }, by);
    await updateSubscription(db, 'sub_b', { status: 'disabled' }, by);

    const after = [await storedSubscription(db, 'sub_a'), await storedSubscription(db, 'sub_b')];
    expect(after).toEqual(before);
  });
});

describe('removeSubscription (contract C27)', () => {
  it('removes the subscription, its secrets, deliveries and attempts, and none of another subscription', async () => {
    const db = await openTemporaryDatabase();
    await storeEvent(db, { id: 'evt_1' });
    const ids = [await insert(db), await insert(db)] as const;
    const deliveries = await storeDeliveries(
      db,
      ...ids.map((id) => ({ event_id: 'evt_1', subscription_id: id })),
    );
    const attempt = { at: noon, status_code: 500, duration_ms: 1, error: null };
    const attempts = deliveries.map((id) => ({ id: `att_${id}`, delivery_id: id, ...attempt }));
    await db.insertInto('webhook_attempts').values(attempts).execute();

    await removeSubscription(db, ids[0], by);

    const left = [
      (await listSubscriptions(db)).map(({ id }) => id),
      await db.selectFrom('webhook_secrets').select('subscription_id as id').execute(),
      await db.selectFrom('webhook_deliveries').select('id').execute(),
      await db.selectFrom('webhook_attempts').select('delivery_id as id').execute(),
      await db.selectFrom('events').select('id').execute(),
    ];
    const kept = [{ id: deliveries[1] }];
    expect(left).toEqual([[ids[1]], [{ id: ids[1] }], kept, kept, [{ id: 'evt_1' }]]);
  });

  it('removes its test events, and no others', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    await storeSubscription(db, { id: 'sub_b' });
    await storeTest(db, 'sub_a', noon);
    const kept = await storeTest(db, 'sub_b', noon);

    await removeSubscription(db, 'sub_a', by);

    const events = await db.selectFrom('events').select('id').execute();
    expect(events).toEqual([{ id: (await storedDelivery(db, kept)).event_id }]);
  });
});
