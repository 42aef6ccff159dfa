import { describe, expect, it } from 'vitest';
import { openTwice } from '../../../test/support/stored-keys.ts';
import {
  claimsOf,
  noon,
  pendingTo,
  storeDeliveries,
  storeKey,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { claimDue, readBacklog } from './store.ts';

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
});
