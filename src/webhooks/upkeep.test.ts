import { describe, expect, it } from 'vitest';
import type { Db } from '../platform/database/database.ts';
import {
  longAgo,
  noon,
  storeDeliveries,
  storedSubscription,
  storeEvent,
  storeKey,
  storeTest,
  storeSubscription,
} from '../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import { setStatus } from './subscription-store.ts';
import { disableHopeless, pruneDeliveries } from './upkeep.ts';

const noonMs = Date.parse(noon);
const fiveDaysAgo = '2026-11-15T12:00:00.000Z';
const laterThanThat = '2026-11-15T12:00:00.001Z';
const thirtyDaysAgo = '2026-10-21T12:00:00.000Z';
const beforeThat = '2026-10-21T11:59:59.999Z';

describe('disableHopeless (contract C29)', () => {
  it.each([
    ['two exhausted events and no success for five days', { last_success_at: fiveDaysAgo }],
    ['more exhausted events', { exhausted_events: 7, last_success_at: longAgo }],
    ['no success ever, five days after it was enabled', { enabled_at: fiveDaysAgo }],
  ])('disables one that has %s', async (_, own) => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, ...own });

    expect(await disableHopeless(db, noonMs)).toEqual({ failing: 1, keyEnded: 0 });

    const { status, disabled_reason: reason } = await storedSubscription(db, 'sub_a');
    expect([status, reason]).toEqual(['disabled', 'failing']);
  });

  it.each([
    ['one exhausted event', { exhausted_events: 1 }],
    ['a success five days ago less a millisecond', { last_success_at: laterThanThat }],
    ['no success since it was enabled, a millisecond less ago', { enabled_at: laterThanThat }],
    ['old successes, but was enabled since', { enabled_at: noon, last_success_at: longAgo }],
  ])('leaves one alone that has %s', async (_, own) => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, ...own });

    expect(await disableHopeless(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ status: 'enabled' });
  });

  it('gives one that is enabled again its five days', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2 });
    await disableHopeless(db, noonMs);

    await setStatus(db, 'sub_a', { status: 'enabled', at: noon });

    expect(await disableHopeless(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });
  });

  it.each([
    ['was revoked', { revoked_at: noon }, ['disabled', 'key ended']],
    ['ends now', { expires_at: noon }, ['disabled', 'key ended']],
    ['ends in a millisecond', { expires_at: '2026-11-20T12:00:00.001Z' }, ['enabled', null]],
    ['lives', {}, ['enabled', null]],
  ])('looks at one whose key %s', async (_, ownOfKey, expected) => {
    const db = await openTemporaryDatabase();
    await storeKey(db, ownOfKey);
    await storeSubscription(db, { id: 'sub_a' });

    const disabled = await disableHopeless(db, noonMs);

    const { status, disabled_reason: reason } = await storedSubscription(db, 'sub_a');
    expect([status, reason]).toEqual(expected);
    expect(disabled).toEqual({ failing: 0, keyEnded: status === 'disabled' ? 1 : 0 });
  });

  it('leaves the reason of those that are disabled already', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db, { revoked_at: noon });
    const own = { status: 'disabled', disabled_reason: 'operator', exhausted_events: 2 } as const;
    await storeSubscription(db, { id: 'sub_a', ...own });

    expect(await disableHopeless(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });

    expect(await storedSubscription(db, 'sub_a')).toMatchObject(own);
  });

  it('counts each kind', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db);
    await storeKey(db, { id: 'key_b', revoked_at: noon });
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2 });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });
    await storeSubscription(db, { id: 'sub_c', key_id: 'key_b' });

    expect(await disableHopeless(db, noonMs)).toEqual({ failing: 1, keyEnded: 2 });
  });
});

describe('pruneDeliveries', () => {
  const ended = { status: 'failed', due_at: null, created_at: beforeThat } as const;
  const idsOf = async (db: Db, table: 'webhook_deliveries' | 'events'): Promise<string[]> =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);

  it.each([
    ['that ended and is older than 30 days', ended, []],
    ['that ended and is 30 days old', { ...ended, created_at: thirtyDaysAgo }, ['dlv_1a']],
    [
      'that still waits, however old',
      { ...ended, due_at: longAgo, created_at: longAgo },
      ['dlv_1a'],
    ],
  ])('looks at a delivery %s', async (_, own, kept) => {
    const db = await openTemporaryDatabase();
    await storeEvent(db, { id: 'evt_1', created_at: longAgo });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', ...own });

    expect(await pruneDeliveries(db, noonMs)).toBe(false);

    expect(await idsOf(db, 'webhook_deliveries')).toEqual(kept);
    expect(await idsOf(db, 'events')).toEqual(['evt_1']);
  });

  it('removes the attempts and the test event with it, and no others', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    const [id, keptId] = [
      await storeTest(db, 'sub_a', beforeThat),
      await storeTest(db, 'sub_a', beforeThat),
    ];
    await db.updateTable('webhook_deliveries').set(ended).where('id', '=', id).execute();
    const attempt = { at: beforeThat, status_code: 204, duration_ms: 1, error: null };
    const attempts = [id, keptId].map((one) => ({
      id: `att_${one}`,
      delivery_id: one,
      ...attempt,
    }));
    await db.insertInto('webhook_attempts').values(attempts).execute();

    await pruneDeliveries(db, noonMs);

    const left = await db.selectFrom('webhook_attempts').select('delivery_id').execute();
    expect(left).toEqual([{ delivery_id: keptId }]);
    expect(await idsOf(db, 'events')).toHaveLength(1);
    expect(await idsOf(db, 'webhook_deliveries')).toEqual([keptId]);
  });

  it('keeps an old one that was attempted since, because it was replayed', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    const id = await storeTest(db, 'sub_a', beforeThat);
    await db.updateTable('webhook_deliveries').set(ended).where('id', '=', id).execute();
    const attempt = { at: thirtyDaysAgo, status_code: 204, duration_ms: 1, error: null };
    await db
      .insertInto('webhook_attempts')
      .values({ id: 'att_1', delivery_id: id, ...attempt })
      .execute();

    await pruneDeliveries(db, noonMs);

    expect(await idsOf(db, 'webhook_deliveries')).toEqual([id]);
  });

  it('removes 250 at a time, and tells when there may be more', async () => {
    const db = await openTemporaryDatabase();
    const rows = Array.from({ length: 251 }, (_, n) => ({
      event_id: `evt_${n}_`,
      subscription_id: 'sub_a',
      ...ended,
    }));
    await storeDeliveries(db, ...rows);

    const more = [await pruneDeliveries(db, noonMs)];
    const left = await idsOf(db, 'webhook_deliveries');
    more.push(await pruneDeliveries(db, noonMs), await pruneDeliveries(db, noonMs));

    expect(left).toHaveLength(1);
    expect(more).toEqual([true, false, false]);
    expect(await idsOf(db, 'webhook_deliveries')).toEqual([]);
  });
});
