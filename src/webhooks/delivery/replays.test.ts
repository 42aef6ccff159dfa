import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import {
  claimsOf,
  longAgo,
  noon,
  openWithSubscription,
  resultOf,
  storeDeliveries,
  storedDelivery,
  storeEvent,
  storeTest,
} from '../../../test/support/stored-webhooks.ts';
import { writeResults } from './delivery-results.ts';
import { findDelivery } from './delivery-log.ts';
import { claimDue } from './store.ts';
import { replayDelivery, replaySince } from './replays.ts';

const later = '2026-11-20T13:00:00.000Z';
const subscription = { id: 'sub_a', keyId: 'key_a', events: ['rates.changed'] } as const;
const done = (value: unknown) => ({ kind: 'done', value });

/** Makes a delivery failed, with a number of attempts. */
async function giveUp(db: Db, id: string, attemptsMade = 10): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, attempts_made: attemptsMade })
    .where('id', '=', id)
    .execute();
}

describe('replayDelivery (contract C27)', () => {
  it('makes the delivery due now at the start of the schedule, and keeps its attempts', async () => {
    const db = await openWithSubscription();
    const [id, otherId] = [await storeTest(db, 'sub_a', noon), await storeTest(db, 'sub_a', noon)];
    const claimed = await claimDue(db, claimsOf());
    await writeResults(
      db,
      claimed.map((one) => resultOf(one, { kind: 'exhausted' })),
    );

    const replay = await replayDelivery(db, { subscription, id }, later);

    expect(replay).toEqual(done(undefined));
    const replayed = {
      status: 'pending',
      due_at: later,
      replayed_at: later,
      attempts_made: 0,
      created_at: noon,
    };
    expect(await storedDelivery(db, id)).toMatchObject(replayed);
    expect((await findDelivery(db, 'sub_a', id))?.attempts).toHaveLength(1);
    expect(await storedDelivery(db, otherId)).toMatchObject({ status: 'failed', due_at: null });
  });

  it('is not ended by the result of an earlier attempt', async () => {
    const db = await openWithSubscription();
    const id = await storeTest(db, 'sub_a', noon);
    const [claimed] = await claimDue(db, claimsOf());

    await replayDelivery(db, { subscription, id }, noon);
    await writeResults(db, [resultOf(claimed!)]);

    expect(await storedDelivery(db, id)).toMatchObject({ status: 'pending', due_at: noon });
    expect(await claimDue(db, claimsOf())).toMatchObject([{ id, attemptsMade: 0 }]);
  });
});

describe('replaySince (contract C27)', () => {
  it('delivers every event since then again, also those from before the subscription', async () => {
    const db = await openWithSubscription();
    await storeEvent(db, { id: 'evt_1', created_at: longAgo });
    await storeEvent(db, { id: 'evt_2', created_at: noon });
    await storeEvent(db, { id: 'evt_3', created_at: later });
    const pairs = ['evt_1', 'evt_3'].map((event_id) => ({ event_id, subscription_id: 'sub_a' }));
    await storeDeliveries(db, ...pairs);
    await giveUp(db, 'dlv_1a');
    await giveUp(db, 'dlv_3a');

    const count = await replaySince(db, subscription, { since: noon, at: later });

    expect(count).toEqual(done(2));
    const again = { status: 'pending', due_at: later, attempts_made: 0, claim: null };
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({ status: 'failed', due_at: null });
    expect(await storedDelivery(db, 'dlv_2a')).toMatchObject({ ...again, created_at: later });
    expect(await storedDelivery(db, 'dlv_3a')).toMatchObject({ ...again, created_at: noon });
  });

  it('delivers only events that the subscription names, and to no other subscription', async () => {
    const db = await openWithSubscription();
    const testId = await storeTest(db, 'sub_a', noon);
    await storeEvent(db, { id: 'evt_1' });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_b' });
    await giveUp(db, testId);
    await giveUp(db, 'dlv_1b');

    const count = await replaySince(db, subscription, { since: noon, at: later });

    expect(count).toEqual(done(1));
    expect(await storedDelivery(db, testId)).toMatchObject({ status: 'failed' });
    expect(await storedDelivery(db, 'dlv_1b')).toMatchObject({ status: 'failed' });
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({ status: 'pending' });
  });

  it('delivers events of its own key, and none of another key', async () => {
    const db = await openWithSubscription();
    const ofKey = (id: string, key_id: string) => ({
      id,
      type: 'webhook.test',
      snapshot_date: null,
      key_id,
    });
    await storeEvent(db, ofKey('evt_1', 'key_a'));
    await storeEvent(db, ofKey('evt_2', 'key_b'));
    const named = { ...subscription, events: ['webhook.test'] } as const;

    const count = await replaySince(db, named, { since: noon, at: later });

    expect(count).toEqual(done(1));
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({ status: 'pending' });
  });

  it('returns 0 if there was no event since then', async () => {
    const db = await openWithSubscription();
    await storeEvent(db, { id: 'evt_1', created_at: '2026-11-20T11:59:59.999Z' });

    expect(await replaySince(db, subscription, { since: noon, at: later })).toEqual(done(0));
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });
});
