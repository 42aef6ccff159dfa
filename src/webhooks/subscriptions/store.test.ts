import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  longAgo,
  noon,
  storedSubscription,
  storeKey,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import {
  findSubscription,
  insertSubscription,
  listSubscriptions,
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
  it('never stores an eleventh when two processes store at the same time', async () => {
    const [db, otherDb] = await openTwice();
    await storeKey(db);

    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => insert(n % 2 === 0 ? db : otherDb)),
    );

    expect(await listSubscriptions(db, 'key_a')).toHaveLength(10);
  });
});

describe('findSubscription (contract C27)', () => {
  it('has the reason key_ended if a replica of version 0.1 has written `key ended`', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled', disabled_reason: 'key ended' });

    expect(await findSubscription(db, 'sub_a')).toMatchObject({ disabledReason: 'key_ended' });
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
