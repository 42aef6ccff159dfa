import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  claimsOf,
  noon,
  pendingTo,
  storeDeliveries,
  storedDelivery,
  storeKey,
  storeSubscription,
  storeTest,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { claimDue, findEvent, hasDue, readBacklog } from './store.ts';

const before = '2026-11-20T11:59:59.999Z';
const after = '2026-11-20T12:00:00.001Z';
const claimed = { claim: 'another', claimed_until: after };

/** A database with a subscription `sub_a` and `count` deliveries to it. */
async function openWith(count: number) {
  const [db, otherDb] = await openTwice();
  await storeKey(db);
  await storeSubscription(db, { id: 'sub_a' });
  if (count > 0) await storeDeliveries(db, ...pendingTo('sub_a', count));
  const claim = async (own: Parameters<typeof claimsOf>[0] = {}): Promise<string[]> =>
    (await claimDue(db, claimsOf(own))).map(({ id }) => id);
  return { db, otherDb, claim };
}

describe('claimDue (contract C29)', () => {
  it('returns the data for an attempt, and stores the claim and its end', async () => {
    const { db } = await openWith(0);
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', attempts_made: 3 });

    const found = await claimDue(db, claimsOf());

    const claim = expect.stringMatching(/^v2\.[0-9a-f]{24}$/);
    expect(found).toEqual([
      {
        id: 'dlv_1a',
        subscriptionId: 'sub_a',
        keyId: 'key_a',
        eventId: 'evt_1',
        url: 'https://a.example/',
        attemptsMade: 3,
        claim,
      },
    ]);
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({
      claim: found[0]?.claim,
      claimed_until: '2026-11-20T12:00:30.000Z',
      status: 'pending',
      due_at: noon,
    });
  });

  it('claims the longest due first, and those with the same time by their ids', async () => {
    const { db, claim } = await openWith(2);
    await storeDeliveries(db, { event_id: 'evt_9', subscription_id: 'sub_a', due_at: before });

    expect(await claim()).toEqual(['dlv_9a', 'dlv_1_a', 'dlv_2_a']);
  });

  it.each([
    ['is due now', { due_at: noon }, ['dlv_1a']],
    ['is due in a millisecond', { due_at: after }, []],
    ['has ended', { due_at: null }, []],
    ['is claimed for another millisecond', claimed, []],
    ['was claimed until now', { ...claimed, claimed_until: noon }, ['dlv_1a']],
  ])('decides about a delivery that %s', async (_, own, expected) => {
    const { db, claim } = await openWith(0);
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', ...own });

    expect(await claim()).toEqual(expected);
  });

  it('claims a delivery again if the claim of another process has ended', async () => {
    const { db } = await openWith(1);
    const [first] = await claimDue(db, claimsOf());

    const [second] = await claimDue(db, claimsOf({ at: '2026-11-20T12:00:30.000Z' }));

    expect(second).toMatchObject({ id: 'dlv_1_a' });
    expect(second?.claim).not.toBe(first?.claim);
  });

  it('claims nothing of a subscription that is disabled or does not exist', async () => {
    const { db, claim } = await openWith(0);
    await storeSubscription(db, { id: 'sub_b', status: 'disabled' });
    await storeDeliveries(db, ...pendingTo('sub_b', 1), ...pendingTo('sub_none', 1));

    expect(await claim()).toEqual([]);
  });

  it.each([
    ['that was revoked', { revoked_at: before }, []],
    ['that ends now', { expires_at: noon }, []],
    ['that ends in a millisecond', { expires_at: after }, ['dlv_1_b']],
  ])('decides about a delivery for a key %s', async (_, own, expected) => {
    const { db, claim } = await openWith(0);
    await storeKey(db, { id: 'key_b', ...own });
    await storeSubscription(db, { id: 'sub_b', key_id: 'key_b' });
    await storeDeliveries(db, ...pendingTo('sub_b', 1));

    expect(await claim()).toEqual(expected);
  });

  it('claims healthy and failing subscriptions separately', async () => {
    const { db, claim } = await openWith(1);
    await storeSubscription(db, { id: 'sub_b', failing: 1 });
    await storeDeliveries(db, ...pendingTo('sub_b', 1));

    expect(await claim({ failing: true })).toEqual(['dlv_1_b']);
    expect(await claim({ failing: false })).toEqual(['dlv_1_a']);
  });

  it('claims at most `max` deliveries', async () => {
    const { claim } = await openWith(3);

    expect(await claim({ max: 2 })).toEqual(['dlv_1_a', 'dlv_2_a']);
    expect(await claim({ max: 2 })).toEqual(['dlv_3_a']);
  });

  it('leaves out busy subscriptions, and finds others behind them', async () => {
    const { db, claim } = await openWith(3);
    await storeSubscription(db, { id: 'sub_b' });
    await storeSubscription(db, { id: 'sub_c' });
    await storeDeliveries(db, ...pendingTo('sub_b', 1), ...pendingTo('sub_c', 1));

    expect(await claim({ busy: ['sub_a', 'sub_b'], max: 2 })).toEqual(['dlv_1_c']);
  });

  it('claims for each subscription only as many as there is room for', async () => {
    const { db, claim } = await openWith(3);
    await storeSubscription(db, { id: 'sub_b' });
    await storeDeliveries(db, ...pendingTo('sub_b', 3));
    const room = new Map([
      ['sub_a', 2],
      ['sub_b', 0],
    ]);

    expect(await claim({ roomOf: (id) => room.get(id) ?? 0 })).toEqual(['dlv_1_a', 'dlv_2_a']);
    expect(await storedDelivery(db, 'dlv_3_a')).toMatchObject({ claim: null, claimed_until: null });
    expect(await storedDelivery(db, 'dlv_1_b')).toMatchObject({ claim: null, claimed_until: null });
  });

  it('claims for all subscriptions of a key only as many as there is room for', async () => {
    const { db, claim } = await openWith(2);
    await storeSubscription(db, { id: 'sub_b' });
    await storeKey(db, { id: 'key_c' });
    await storeSubscription(db, { id: 'sub_c', key_id: 'key_c' });
    await storeDeliveries(db, ...pendingTo('sub_b', 2), ...pendingTo('sub_c', 2));
    const roomOfKey = (id: string): number => (id === 'key_a' ? 3 : 1);

    expect(await claim({ roomOfKey })).toEqual(['dlv_1_a', 'dlv_1_b', 'dlv_1_c', 'dlv_2_a']);
    expect(await claim({ busyKeys: ['key_a'], max: 1 })).toEqual(['dlv_2_c']);
  });

  it('never gives one delivery to two processes', async () => {
    const { db, otherDb } = await openWith(200);

    const rounds = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const wanted = claimsOf({ max: 10, roomOf: () => 10 });
        return claimDue(n % 2 === 0 ? db : otherDb, wanted);
      }),
    );

    const ids = rounds.flat().map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(new Set(ids).size).toBe(200);
  });
});

describe('hasDue', () => {
  it.each([
    ['true if a delivery is due now', noon, true],
    ['false a millisecond before', before, false],
  ])('is %s', async (_, at, expected) => {
    const { db } = await openWith(2);

    expect(await hasDue(db, at)).toBe(expected);
  });

  it.each([
    ['is disabled', { status: 'disabled' } as const],
    ['belongs to a key that was revoked', { key_id: 'key_revoked' }],
    ['belongs to a key that has expired', { key_id: 'key_expired' }],
  ])('is false for deliveries of a subscription that %s', async (_, own) => {
    const { db } = await openWith(0);
    await storeKey(db, { id: 'key_revoked', revoked_at: before });
    await storeKey(db, { id: 'key_expired', expires_at: noon });
    await storeSubscription(db, { id: 'sub_b', ...own });
    await storeDeliveries(db, ...pendingTo('sub_b', 2));

    expect(await hasDue(db, noon)).toBe(false);
  });

  it('is false while all due deliveries are claimed', async () => {
    const { db } = await openWith(0);
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', ...claimed });

    expect([await hasDue(db, noon), await hasDue(db, after)]).toEqual([false, true]);
  });

  it('is false if all deliveries have ended', async () => {
    const { db } = await openWith(0);
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a', due_at: null });

    expect(await hasDue(db, after)).toBe(false);
  });
});

describe('insertTest (contract C27)', () => {
  it('writes an event without a date and its one delivery, due now', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });

    const id = await storeTest(db, 'sub_a', noon);

    const { event_id: eventId, ...delivery } = await storedDelivery(db, id);
    expect(eventId).toMatch(/^evt_[0-9a-f]{24}$/);
    expect(delivery).toEqual({
      id: `dlv_${eventId.slice(4)}a`,
      subscription_id: 'sub_a',
      status: 'pending',
      created_at: noon,
      due_at: noon,
      attempts_made: 0,
      claim: null,
      claimed_until: null,
      replayed_at: null,
    });
    const event = { id: eventId, type: 'webhook.test', at: noon };
    expect(await findEvent(db, eventId)).toEqual(event);
    const { key_id } = await db
      .selectFrom('events')
      .select('key_id')
      .where('id', '=', eventId)
      .executeTakeFirstOrThrow();
    expect(key_id).toBe('key_a');
  });

  it('makes a new event each time', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });

    expect(await storeTest(db, 'sub_a', noon)).not.toBe(await storeTest(db, 'sub_a', noon));
  });
});

describe('findEvent', () => {
  it('returns undefined for an unknown id', async () => {
    expect(await findEvent(await openTemporaryDatabase(), 'evt_none')).toBeUndefined();
  });
});

describe('readBacklog', () => {
  const noonMs = Date.parse(noon);

  it('counts pending deliveries of enabled subscriptions, and subscriptions by status', async () => {
    const { db } = await openWith(3);
    await storeSubscription(db, { id: 'sub_b' });
    await storeSubscription(db, { id: 'sub_c', status: 'disabled' });
    const old = { due_at: '2026-11-19T12:00:00.000Z' };
    await storeDeliveries(db, ...pendingTo('sub_c', 2).map((row) => ({ ...row, ...old })), {
      event_id: 'evt_1',
      subscription_id: 'sub_b',
      status: 'succeeded',
      due_at: null,
    });

    expect(await readBacklog(db, noonMs)).toEqual({
      pending: 3,
      oldestDueSeconds: 0,
      subscriptions: { enabled: 2, disabled: 1 },
    });
  });

  it.each([
    ['null if nothing is pending', 0, noonMs, null],
    ['null a millisecond before the first is due', 2, noonMs - 1, null],
    ['0 when it is due', 2, noonMs, 0],
    ['whole seconds since then', 2, noonMs + 61_999, 61],
  ])('reports as the age of the oldest %s', async (_, count, nowMs, oldestDueSeconds) => {
    const { db } = await openWith(count);
    const late = {
      event_id: 'evt_9',
      subscription_id: 'sub_a',
      due_at: '2026-11-20T13:00:00.000Z',
    };
    await storeDeliveries(db, { ...late, subscription_id: count === 0 ? 'sub_none' : 'sub_a' });

    expect(await readBacklog(db, nowMs)).toMatchObject({ oldestDueSeconds });
  });
});
