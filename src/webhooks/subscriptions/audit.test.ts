import { describe, expect, it } from 'vitest';
import { auditOf, breakTable } from '../../../test/support/stored-keys.ts';
import { storeKey } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { findSubscription, insertSubscription, updateSubscription } from './store.ts';

const [first, second] = ['2026-11-20T07:00:00.000Z', '2026-11-20T08:00:00.000Z'] as const;
const events = ['rates.changed'] as const;
const url = new URL('https://hooks.example:8443/services/T0/secret-path?token=secret-query');

/** A database with one subscription of a key. */
async function openSubscribed() {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  const own = { keyId: 'key_a', url, events: [...events], description: 'mine' };
  const created = await insertSubscription(db, { ...own, at: first, seal: () => 'sealed-secret' });
  return { db, id: created?.id ?? '', by: { at: second, keyId: 'key_a' } };
}

const receiver = 'https://hooks.example:8443';
const enabled = { receiver, events, status: 'enabled' };

describe('the audit of subscriptions (contract C27)', () => {
  it('records the creation, with the id of the key and only the origin of the URL', async () => {
    const { db, id } = await openSubscribed();

    const audit = await auditOf(db);

    const detail = { keyId: 'key_a', ...enabled };
    expect(audit).toEqual([{ at: first, action: 'webhooks.create', subject: id, detail }]);
    expect(JSON.stringify(audit)).not.toMatch(/secret|mine/);
  });

  it('records which fields a caller changed, and their values before and after', async () => {
    const { db, id, by } = await openSubscribed();
    const other = new URL('https://shop.example/other-secret');

    await updateSubscription(db, id, { url: other, description: 'x', status: 'disabled' }, by);

    const after = { ...enabled, receiver: 'https://shop.example', status: 'disabled' };
    const changed = ['url', 'description', 'status'];
    const detail = { keyId: 'key_a', changed, before: enabled, after };
    expect((await auditOf(db)).slice(1)).toEqual([
      { at: second, action: 'webhooks.change', subject: id, detail },
    ]);
  });

  it('is written in the transaction of the change', async () => {
    const { db, id, by } = await openSubscribed();
    await breakTable(db, 'insert on audit');

    const changing = updateSubscription(db, id, { description: 'other' }, by);

    await expect(changing).rejects.toThrow('disk full');
    expect(await findSubscription(db, id)).toMatchObject({ description: 'mine' });
  });
});
