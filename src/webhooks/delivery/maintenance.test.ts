import { describe, expect, it } from 'vitest';
import {
  longAgo,
  noon,
  storeDeliveries,
  storedDelivery,
  storedSubscription,
  storeEvent,
  storeKey,
  storeSubscription,
  storeTest,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import type { Db } from '../../platform/database/database.ts';
import {
  disableFailing,
  pruneDeliveries,
  repairDueTimes,
  suspendDeliveries,
} from './maintenance.ts';

const noonMs = Date.parse(noon);
const fiveDaysAgo = '2026-11-15T12:00:00.000Z';
const laterThanThat = '2026-11-15T12:00:00.001Z';
const thirtyDaysAgo = '2026-10-21T12:00:00.000Z';
const beforeThat = '2026-10-21T11:59:59.999Z';
const soon = '2026-11-20T12:00:00.001Z';

describe('disableFailing (contract C29)', () => {
  it.each<[what: string, own: object, ownOfKey: object, reason: string | null]>([
    ['no success for five days', { last_success_at: fiveDaysAgo }, {}, 'failing'],
    ['more exhausted events', { exhausted_events: 7, last_success_at: longAgo }, {}, 'failing'],
    ['no success ever, five days after it was enabled', { enabled_at: fiveDaysAgo }, {}, 'failing'],
    ['one exhausted event', { exhausted_events: 1 }, {}, null],
    ['a success a moment later', { last_success_at: laterThanThat }, {}, null],
    ['no success, enabled a moment later', { enabled_at: laterThanThat }, {}, null],
    ['an old success, enabled since', { enabled_at: noon, last_success_at: longAgo }, {}, null],
    ['a revoked key', { exhausted_events: 0 }, { revoked_at: noon }, 'key_ended'],
    ['a key that ends now', { exhausted_events: 0 }, { expires_at: noon }, 'key_ended'],
    ['a key that ends in a moment', { exhausted_events: 0 }, { expires_at: soon }, null],
    ['a reason', { status: 'disabled', disabled_reason: 'gone' }, { revoked_at: noon }, 'gone'],
  ])('judges a subscription with %s', async (_, own, ownOfKey, reason) => {
    const db = await openTemporaryDatabase();
    await storeKey(db, ownOfKey);
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, ...own });

    const counted = await disableFailing(db, noonMs);

    const stored = await storedSubscription(db, 'sub_a');
    expect(stored.disabled_reason).toBe(reason);
    expect(stored.status).toBe(reason === null ? 'enabled' : 'disabled');
    expect(counted).toEqual({
      failing: reason === 'failing' ? 1 : 0,
      keyEnded: reason === 'key_ended' ? 1 : 0,
    });
  });

  it('disables only subscriptions of revoked keys with a clock that is not trusted (contract C17a)', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db, { id: 'key_b', expires_at: longAgo });
    await storeKey(db, { id: 'key_c', revoked_at: longAgo });
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, enabled_at: longAgo });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });
    await storeSubscription(db, { id: 'sub_c', key_id: 'key_c' });

    expect(await disableFailing(db, undefined)).toEqual({ failing: 0, keyEnded: 1 });
  });
});

describe('repairDueTimes', () => {
  it('makes a delivery due now that a clock which was ahead has moved, and no other', async () => {
    const db = await openTemporaryDatabase();
    const dues = ['2026-11-23T11:00:00.000Z', '2027-11-20T12:00:00.000Z', null];
    const ids = await storeDeliveries(
      db,
      ...dues.map((due_at, n) => ({ event_id: `evt_${n}_`, subscription_id: 'sub_a', due_at })),
    );

    await repairDueTimes(db, noonMs, [0, 86_400]);

    const repaired = await Promise.all(ids.map(async (id) => storedDelivery(db, id)));
    expect(repaired.map(({ due_at }) => due_at)).toEqual([dues[0], noon, null]);
  });
});

describe('pruneDeliveries', () => {
  const ended = { status: 'failed', due_at: null, created_at: beforeThat } as const;
  const idsOf = async (db: Db, table: 'webhook_deliveries' | 'events'): Promise<string[]> =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  const storeAttempts = async (db: Db, at: string, ids: readonly string[]) => {
    const attempt = { at, status_code: 204, duration_ms: 1, error: null };
    const rows = ids.map((id) => ({ id: `att_${id}`, delivery_id: id, ...attempt }));
    await db.insertInto('webhook_attempts').values(rows).execute();
  };

  it.each([
    ['that ended and is older than 30 days', ended, []],
    ['that was suspended and is older', { ...ended, status: 'pending' as const }, []],
    ['that ended and is 30 days old', { ...ended, created_at: thirtyDaysAgo }, ['dlv_1a']],
    ['that waits, however old', { ...ended, due_at: longAgo, created_at: longAgo }, ['dlv_1a']],
  ])('decides about a delivery %s', async (_, own, kept) => {
    const db = await openTemporaryDatabase();
    await storeEvent(db, { id: 'evt_1', created_at: longAgo });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', ...own });

    await pruneDeliveries(db, noonMs);

    expect(await idsOf(db, 'webhook_deliveries')).toEqual(kept);
    expect(await idsOf(db, 'events')).toEqual(['evt_1']);
  });

  it('deletes the attempts and the test event of the delivery, and no others', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    const id = await storeTest(db, 'sub_a', beforeThat);
    const keptId = await storeTest(db, 'sub_a', beforeThat);
    await db.updateTable('webhook_deliveries').set(ended).where('id', '=', id).execute();
    await storeAttempts(db, beforeThat, [id, keptId]);

    await pruneDeliveries(db, noonMs);

    const left = await db.selectFrom('webhook_attempts').select('delivery_id').execute();
    expect(left).toEqual([{ delivery_id: keptId }]);
    expect(await idsOf(db, 'events')).toHaveLength(1);
    expect(await idsOf(db, 'webhook_deliveries')).toEqual([keptId]);
  });

  it('keeps those with a newer attempt, and continues behind a portion of them', async () => {
    const db = await openTemporaryDatabase();
    const rows = Array.from({ length: 150 }, (_, n) => ({
      event_id: `evt_${String(n).padStart(3, '0')}`,
      subscription_id: 'sub_a',
      ...ended,
    }));
    const ids = await storeDeliveries(db, ...rows);
    await storeAttempts(db, thirtyDaysAgo, ids.slice(0, 120));

    await pruneDeliveries(db, noonMs);

    expect(await idsOf(db, 'webhook_deliveries')).toEqual(ids.slice(0, 120));
  });
});

describe('suspendDeliveries (contract C29)', () => {
  it('removes the due time of pending deliveries of disabled subscriptions, and of no others', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled' });
    await storeSubscription(db, { id: 'sub_b' });
    const [id = '', otherId = ''] = await storeDeliveries(
      db,
      { event_id: 'evt_1', subscription_id: 'sub_a', due_at: '2026-11-20T13:00:00.000Z' },
      { event_id: 'evt_1', subscription_id: 'sub_b' },
    );

    expect(await suspendDeliveries(db)).toBe(false);

    expect(await storedDelivery(db, id)).toMatchObject({ status: 'pending', due_at: null });
    expect(await storedDelivery(db, otherId)).toMatchObject({ status: 'pending', due_at: noon });
  });
});
