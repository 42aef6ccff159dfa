import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  claimsOf,
  noon,
  pendingTo,
  storeDeliveries,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { idOfKey, open, seal } from '../../platform/encryption/secret-box.ts';
import { lockKeyInUseShared } from '../../platform/encryption/key-in-use.ts';
import { rotateTo } from '../../platform/encryption/rotation.ts';
import type { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { claimDue } from '../delivery/store.ts';
import type { NewHeaders } from './header-store.ts';
import { findSubscription, updateSubscription } from './store.ts';

const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const by = { at: noon, keyId: 'key_a' };

/** A header whose value is a number, encrypted with the key in use. */
const header = (n: number): NewHeaders => ({
  names: [`x-${n}`],
  seal: async (id, tx) => {
    const inUse = await lockKeyInUseShared(tx);
    return seal(inUse === idOfKey(next) ? next : old, `[["x-${n}","${n}"]]`, id);
  },
});

/** Two connections to a database with a subscription that has a header. */
async function openSubscribed() {
  const [db, other] = await openTwice();
  await storeSubscription(db, { id: 'sub_a', url: 'https://a.example/' });
  await updateSubscription(db, 'sub_a', { headers: header(0) }, by);
  return { db, other };
}

describe('the headers of a subscription in the database (contract C27)', () => {
  it('are claimed with its delivery, but not if a replica of 0.3 has changed its URL', async () => {
    const { db } = await openSubscribed();
    await storeDeliveries(db, ...pendingTo('sub_a', 2));

    const [own] = await claimDue(db, claimsOf({ max: 1 }));
    const rows = db.updateTable('webhook_subscriptions').where('id', '=', 'sub_a');
    await rows.set({ url: 'https://a.example/2' }).execute();
    const [moved] = await claimDue(db, claimsOf({ max: 1 }));

    expect(open(old, own?.sealedHeaders ?? '', 'sub_a')).toBe('[["x-0","0"]]');
    expect(moved).toMatchObject({ url: 'https://a.example/2', sealedHeaders: null });
    expect(await findSubscription(db, 'sub_a')).toMatchObject({ headers: [] });
  });

  it('are removed with it, also by a replica of 0.3, which does not know them', async () => {
    const { db } = await openSubscribed();

    await db.deleteFrom('webhook_subscriptions').where('id', '=', 'sub_a').execute();

    expect(await db.selectFrom('webhook_headers').selectAll().execute()).toEqual([]);
  });

  it('are encrypted again by a rotation of SECRET_KEY, whatever changes them at the same time', async () => {
    const { db, other } = await openSubscribed();
    const keys = { open: (text: string, id: string) => open(old, text, id) } as SecretKeys;

    const changing = Array.from({ length: 8 }, async (_, n) =>
      updateSubscription(n % 2 === 0 ? db : other, 'sub_a', { headers: header(n + 1) }, by),
    );
    const rotating = rotateTo(db, next, { keys, at: noon, refuse: async () => {} });
    await Promise.all([...changing, rotating]);

    const { names, sealed } = await db
      .selectFrom('webhook_headers')
      .selectAll()
      .executeTakeFirstOrThrow();
    const [name = ''] = JSON.parse(names) as string[];
    expect(await rotating).toMatchObject({ kind: 'rotated' });
    expect(open(next, sealed, 'sub_a')).toBe(`[["${name}","${name.slice(2)}"]]`);
  });
});
