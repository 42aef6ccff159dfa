import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import {
  longAgo,
  noon,
  pendingTo,
  storeDeliveries,
  storedDelivery,
  storedSubscription,
  storeEvent,
  storeKey,
  storeTest,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { updateSubscription } from '../subscriptions/store.ts';
import { disableFailing, pruneDeliveries, suspendDeliveries } from './maintenance.ts';

const noonMs = Date.parse(noon);
const fiveDaysAgo = '2026-11-15T12:00:00.000Z';
const laterThanThat = '2026-11-15T12:00:00.001Z';
const thirtyDaysAgo = '2026-10-21T12:00:00.000Z';
const beforeThat = '2026-10-21T11:59:59.999Z';

describe('disableFailing (contract C29)', () => {
  it.each([
    ['two exhausted events and no success for five days', { last_success_at: fiveDaysAgo }],
    ['more exhausted events', { exhausted_events: 7, last_success_at: longAgo }],
    ['no success ever, five days after it was enabled', { enabled_at: fiveDaysAgo }],
  ])('disables a subscription with %s', async (_, own) => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, ...own });

    expect(await disableFailing(db, noonMs)).toEqual({ failing: 1, keyEnded: 0 });

    const { status, disabled_reason: reason } = await storedSubscription(db, 'sub_a');
    expect([status, reason]).toEqual(['disabled', 'failing']);
  });

  it.each([
    ['one exhausted event', { exhausted_events: 1 }],
    ['a success five days minus a millisecond ago', { last_success_at: laterThanThat }],
    [
      'no success since it was enabled five days minus a millisecond ago',
      { enabled_at: laterThanThat },
    ],
    ['an old success, enabled again since', { enabled_at: noon, last_success_at: longAgo }],
  ])('keeps a subscription enabled with %s', async (_, own) => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2, ...own });

    expect(await disableFailing(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ status: 'enabled' });
  });

  it('waits five days again after a subscription was enabled', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2 });
    await disableFailing(db, noonMs);

    await updateSubscription(db, 'sub_a', { status: 'enabled' }, { at: noon });

    expect(await disableFailing(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });
  });

  it.each([
    ['was revoked', { revoked_at: noon }, ['disabled', 'key_ended']],
    ['ends now', { expires_at: noon }, ['disabled', 'key_ended']],
    ['ends in a millisecond', { expires_at: '2026-11-20T12:00:00.001Z' }, ['enabled', null]],
    ['lives', {}, ['enabled', null]],
  ])('decides about a subscription whose key %s', async (_, ownOfKey, expected) => {
    const db = await openTemporaryDatabase();
    await storeKey(db, ownOfKey);
    await storeSubscription(db, { id: 'sub_a' });

    const disabled = await disableFailing(db, noonMs);

    const { status, disabled_reason: reason } = await storedSubscription(db, 'sub_a');
    expect([status, reason]).toEqual(expected);
    expect(disabled).toEqual({ failing: 0, keyEnded: status === 'disabled' ? 1 : 0 });
  });

  it('keeps the reason of subscriptions that are disabled already', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db, { revoked_at: noon });
    const own = { status: 'disabled', disabled_reason: 'operator', exhausted_events: 2 } as const;
    await storeSubscription(db, { id: 'sub_a', ...own });

    expect(await disableFailing(db, noonMs)).toEqual({ failing: 0, keyEnded: 0 });

    expect(await storedSubscription(db, 'sub_a')).toMatchObject(own);
  });

  it('counts subscriptions of each reason', async () => {
    const db = await openTemporaryDatabase();
    await storeKey(db);
    await storeKey(db, { id: 'key_b', revoked_at: noon });
    await storeSubscription(db, { id: 'sub_a', exhausted_events: 2 });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });
    await storeSubscription(db, { id: 'sub_c', key_id: 'key_b' });

    expect(await disableFailing(db, noonMs)).toEqual({ failing: 1, keyEnded: 2 });
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

  it('keeps an old delivery that was replayed and attempted since', async () => {
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

  it('lets other work run between portions of 100', async () => {
    const db = await openTemporaryDatabase();
    const rows = Array.from({ length: 501 }, (_, n) => ({
      event_id: `evt_${n}_`,
      subscription_id: 'sub_a',
      ...ended,
    }));
    await storeDeliveries(db, ...rows);
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);

    await pruneDeliveries(db, noonMs);
    isOver = true;

    expect(turns).toBeGreaterThanOrEqual(5);
    expect(await idsOf(db, 'webhook_deliveries')).toEqual([]);
  });

  it('continues behind a portion whose deliveries are all kept', async () => {
    const db = await openTemporaryDatabase();
    const rows = Array.from({ length: 150 }, (_, n) => ({
      event_id: `evt_${String(n).padStart(3, '0')}`,
      subscription_id: 'sub_a',
      ...ended,
    }));
    const ids = await storeDeliveries(db, ...rows);
    const attempt = { at: noon, status_code: 204, duration_ms: 1, error: null };
    const attempts = ids.slice(0, 120).map((id) => {
      return { id: `att_${id}`, delivery_id: id, ...attempt };
    });
    await db.insertInto('webhook_attempts').values(attempts).execute();

    await pruneDeliveries(db, noonMs);

    expect(await idsOf(db, 'webhook_deliveries')).toEqual(ids.slice(0, 120));
  });
});

describe('suspendDeliveries (contract C29)', () => {
  const later = '2026-11-20T13:00:00.000Z';

  it('removes the due time of pending deliveries of disabled subscriptions, and of no others', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled' });
    await storeSubscription(db, { id: 'sub_b' });
    const [id = '', otherId = ''] = await storeDeliveries(
      db,
      { event_id: 'evt_1', subscription_id: 'sub_a', due_at: later },
      { event_id: 'evt_1', subscription_id: 'sub_b' },
    );

    expect(await suspendDeliveries(db)).toBe(false);

    expect(await storedDelivery(db, id)).toMatchObject({ status: 'pending', due_at: null });
    expect(await storedDelivery(db, otherId)).toMatchObject({ status: 'pending', due_at: noon });
  });

  it('gives them a due time again when their subscription is enabled', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled' });
    const [id = '', ofAttempts = ''] = await storeDeliveries(
      db,
      { event_id: 'evt_1', subscription_id: 'sub_a' },
      { event_id: 'evt_2', subscription_id: 'sub_a', status: 'failed', due_at: null },
    );
    await suspendDeliveries(db);

    await updateSubscription(db, 'sub_a', { status: 'enabled' }, { at: later });

    expect(await storedDelivery(db, id)).toMatchObject({ status: 'pending', due_at: later });
    expect(await storedDelivery(db, ofAttempts)).toMatchObject({ status: 'failed', due_at: null });
  });

  it('lets them be deleted after 30 days', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled' });
    const created = [beforeThat, thirtyDaysAgo].map((created_at, n) => {
      return { event_id: `evt_${n}`, subscription_id: 'sub_a', created_at };
    });
    const [, keptId] = await storeDeliveries(db, ...created);
    await suspendDeliveries(db);

    await pruneDeliveries(db, noonMs);

    const left = await db.selectFrom('webhook_deliveries').select('id').execute();
    expect(left).toEqual([{ id: keptId }]);
  });

  it('changes 100 at a time, and reports that there may be more', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a', status: 'disabled' });
    await storeDeliveries(db, ...pendingTo('sub_a', 101));

    expect([await suspendDeliveries(db), await suspendDeliveries(db)]).toEqual([true, false]);
  });
});
