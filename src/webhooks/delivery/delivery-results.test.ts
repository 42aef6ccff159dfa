import { describe, expect, it } from 'vitest';
import { breakTable } from '../../../test/support/stored-keys.ts';
import {
  claimsOf,
  noon,
  pendingTo,
  resultOf,
  storeDeliveries,
  storedDelivery,
  storedSubscription,
  storeKey,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { removeSubscription } from '../subscriptions/store.ts';
import { type Verdict, writeResults } from './delivery-results.ts';
import { claimDue } from './store.ts';

const dueAt = '2026-11-20T12:05:00.000Z';
const succeeded: Verdict = { kind: 'succeeded' };
const retry: Verdict = { kind: 'retry', dueAt };
const exhausted: Verdict = { kind: 'exhausted' };
const gone: Verdict = { kind: 'gone' };

/** Opens a database with claimed deliveries to `sub_a`; `own` are earlier failures of the subscription. */
async function openWith(count: number, own: { exhausted_events?: number; failing?: 0 | 1 } = {}) {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  await storeSubscription(db, { id: 'sub_a', ...own });
  await storeSubscription(db, { id: 'sub_b', ...own });
  const wanted = pendingTo('sub_a', count).map((row) => ({ ...row, attempts_made: 3 }));
  await storeDeliveries(db, ...wanted, ...pendingTo('sub_b', 1));
  const claim = async (at = noon) => {
    const room = claimsOf({ at, roomOf: () => count, failing: own.failing === 1 });
    const claimed = await claimDue(db, room);
    return claimed.filter(({ subscriptionId }) => subscriptionId === 'sub_a');
  };
  const attempts = async () =>
    db.selectFrom('webhook_attempts').selectAll().orderBy('delivery_id').execute();
  const read = async () => [
    await storedDelivery(db, 'dlv_1_a'),
    await storedSubscription(db, 'sub_a'),
  ];
  return { db, claim, claimed: await claim(), attempts, read };
}

describe('writeResults (contract C29)', () => {
  it('keeps the 20 newest attempts of a delivery, and all of another', async () => {
    const { db, claimed, attempts } = await openWith(2);
    const old = Array.from({ length: 21 }, (_, n) => ({
      id: `att_${n}`,
      delivery_id: n === 20 ? 'dlv_2_a' : 'dlv_1_a',
      at: `2026-11-20T11:00:${String(n).padStart(2, '0')}.000Z`,
      status_code: 500,
      duration_ms: 7,
      error: null,
    }));
    await db.insertInto('webhook_attempts').values(old).execute();

    await writeResults(
      db,
      claimed.map((delivery) => resultOf(delivery)),
    );

    const kept = await attempts();
    const ofFirst = kept.filter((row) => row.delivery_id === 'dlv_1_a').map(({ at }) => at);
    expect(ofFirst.toSorted()).toEqual([...old.slice(1, 20).map(({ at }) => at), noon]);
    expect(kept.filter((row) => row.delivery_id === 'dlv_2_a')).toHaveLength(2);
  });

  it.each([
    [succeeded, { status: 'succeeded', due_at: null, attempts_made: 3 }, { failing: 0 }],
    [retry, { status: 'pending', due_at: dueAt, attempts_made: 4 }, { failing: 1 }],
    [exhausted, { status: 'failed', due_at: null, attempts_made: 4 }, { failing: 1 }],
    [gone, { status: 'failed', due_at: null }, { status: 'disabled', disabled_reason: 'gone' }],
  ])('writes %j to its delivery and subscription, and to no other', async (...row) => {
    const [verdict, ofDelivery, ofSubscription] = row;
    const { db, claimed, read } = await openWith(2);
    const others = async () => [
      await storedDelivery(db, 'dlv_2_a'),
      await storedSubscription(db, 'sub_b'),
    ];
    const before = await others();

    await writeResults(db, [resultOf(claimed[0]!, verdict)]);

    const free = { claim: null, claimed_until: null };
    expect(await read()).toMatchObject([{ ...ofDelivery, ...free }, ofSubscription]);
    expect(await others()).toEqual(before);
  });

  // The second that each attempt of a batch began in, in the order in which the batch has them.
  it.each([
    ['after the success', [0, 1, 2], { exhausted_events: 1, failing: 1 }],
    ['before the success', [2, 0, 1], { exhausted_events: 0, failing: 0 }],
    ['before and after the success', [1, 2, 0], { exhausted_events: 0, failing: 1 }],
  ] as const)('counts the failures of a batch by their time: %s', async (_, seconds, expected) => {
    const { db, claimed } = await openWith(3, { exhausted_events: 4, failing: 1 });
    const verdicts = [succeeded, retry, exhausted];
    const at = seconds.map((second) => `2026-11-20T12:00:0${second}.000Z`);

    await writeResults(
      db,
      claimed.map((delivery, n) => resultOf(delivery, verdicts[n], { at: at[n]! })),
    );

    const ofA = { ...expected, last_success_at: at[0] };
    expect(await storedSubscription(db, 'sub_a')).toMatchObject(ofA);
    expect(await storedSubscription(db, 'sub_b')).toMatchObject({ exhausted_events: 4 });
  });

  it.each([succeeded, retry, exhausted, gone])(
    'stores an attempt whose claim has ended, and changes nothing else: %j',
    async (verdict) => {
      const { db, claim, claimed, attempts, read } = await openWith(1, { exhausted_events: 1 });
      await claim('2026-11-20T12:00:30.000Z');
      const before = await read();

      await writeResults(db, [resultOf(claimed[0]!, verdict)]);

      expect(await read()).toEqual(before);
      expect(await attempts()).toMatchObject([{ delivery_id: 'dlv_1_a' }]);
    },
  );

  it('drops the result of a removed subscription, and writes the others', async () => {
    const { db, claimed, attempts } = await openWith(1);
    await storeSubscription(db, { id: 'sub_c' });
    await storeDeliveries(db, ...pendingTo('sub_c', 1));
    const [ofC] = await claimDue(db, claimsOf());
    await removeSubscription(db, 'sub_c', { at: noon });

    await writeResults(db, [resultOf(ofC!), resultOf(claimed[0]!)]);

    expect(await attempts()).toMatchObject([{ delivery_id: 'dlv_1_a' }]);
    expect(await storedDelivery(db, 'dlv_1_a')).toMatchObject({ status: 'succeeded' });
  });

  it('writes all results or none, those of all places in one call', async () => {
    const { db, claimed, attempts, read } = await openWith(510);
    const before = await read();
    const results = claimed.map((delivery) => resultOf(delivery));
    const repair = await breakTable(db, "update on webhook_subscriptions when new.id = 'sub_a'");

    await expect(writeResults(db, results)).rejects.toThrow('disk full');

    expect(await attempts()).toEqual([]);
    expect(await read()).toEqual(before);
    await repair();
    await writeResults(db, results);
    const written = db.selectFrom('webhook_deliveries').where('status', '=', 'succeeded');
    expect(await written.select('id').execute()).toHaveLength(510);
  });
});
