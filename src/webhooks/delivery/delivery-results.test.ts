import { describe, expect, it } from 'vitest';
import { breakTable } from '../../../test/support/stored-keys.ts';
import {
  claimsOf,
  longAgo,
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
import { type Verdict, writeResults } from './delivery-results.ts';
import { claimDue } from './store.ts';
import { removeSubscription } from '../subscriptions/store.ts';

const dueAt = '2026-11-20T12:05:00.000Z';
const retry: Verdict = { kind: 'retry', dueAt };
const failures: readonly [string, Verdict][] = [
  ['is to be retried', retry],
  ['is exhausted', { kind: 'exhausted' }],
  ['is gone', { kind: 'gone' }],
];

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
  return { db, claim, claimed: await claim(), attempts };
}

describe('writeResults (contract C29)', () => {
  it('stores each attempt with its status code, duration and error', async () => {
    const { db, claimed, attempts } = await openWith(2);
    const [first, second] = claimed;

    await writeResults(db, [
      resultOf(first!, retry, { statusCode: undefined, durationMs: 15_003, error: 'timed out' }),
      resultOf(second!),
    ]);

    const id = expect.stringMatching(/^att_[0-9a-f]{24}$/);
    expect(await attempts()).toEqual([
      {
        id,
        delivery_id: 'dlv_1_a',
        at: noon,
        status_code: null,
        duration_ms: 15_003,
        error: 'timed out',
      },
      { id, delivery_id: 'dlv_2_a', at: noon, status_code: 204, duration_ms: 7, error: null },
    ]);
  });

  it('keeps the 20 newest attempts of a delivery, and all of another', async () => {
    const { db, claimed, attempts } = await openWith(2);
    const [first, second] = claimed;
    const old = Array.from({ length: 21 }, (_, n) => ({
      id: `att_${n}`,
      delivery_id: n === 20 ? 'dlv_2_a' : 'dlv_1_a',
      at: `2026-11-20T11:00:${String(n).padStart(2, '0')}.000Z`,
      status_code: 500,
      duration_ms: 7,
      error: null,
    }));
    await db.insertInto('webhook_attempts').values(old).execute();

    await writeResults(db, [resultOf(first!), resultOf(second!)]);

    const kept = await attempts();
    const ofFirst = kept.filter((row) => row.delivery_id === 'dlv_1_a').map(({ at }) => at);
    expect(ofFirst.toSorted()).toEqual([...old.slice(1, 20).map(({ at }) => at), noon]);
    expect(kept.filter((row) => row.delivery_id === 'dlv_2_a')).toHaveLength(2);
  });

  it.each([
    ['succeeded', { kind: 'succeeded' }, { status: 'succeeded', due_at: null, attempts_made: 3 }],
    ['due again', retry, { status: 'pending', due_at: dueAt, attempts_made: 4 }],
    ['given up', { kind: 'exhausted' }, { status: 'failed', due_at: null, attempts_made: 4 }],
    ['failed after a 410', { kind: 'gone' }, { status: 'failed', due_at: null, attempts_made: 4 }],
  ] as const)('makes the delivery %s, and changes no other', async (_, verdict, expected) => {
    const { db, claimed } = await openWith(2);
    const other = await storedDelivery(db, 'dlv_2_a');

    await writeResults(db, [resultOf(claimed[0]!, verdict)]);

    expect(await storedDelivery(db, 'dlv_1_a')).toMatchObject({
      ...expected,
      claim: null,
      claimed_until: null,
    });
    expect(await storedDelivery(db, 'dlv_2_a')).toEqual(other);
  });

  it.each(failures)('marks its subscription as failing if a delivery %s', async (_, verdict) => {
    const { db, claimed } = await openWith(1);

    await writeResults(db, [resultOf(claimed[0]!, verdict)]);

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ failing: 1 });
    expect(await storedSubscription(db, 'sub_b')).toMatchObject({ failing: 0, status: 'enabled' });
  });

  it('counts every exhausted event of the subscription', async () => {
    const { db, claimed } = await openWith(3, { exhausted_events: 1 });
    const verdicts: Verdict[] = [{ kind: 'exhausted' }, { kind: 'exhausted' }, retry];

    await writeResults(
      db,
      claimed.map((delivery, n) => resultOf(delivery, verdicts[n])),
    );

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ exhausted_events: 3 });
    expect(await storedSubscription(db, 'sub_b')).toMatchObject({ exhausted_events: 1 });
  });

  it('clears the failures of the subscription after a success, and stores its time', async () => {
    const { db, claimed } = await openWith(1, { exhausted_events: 2, failing: 1 });

    await writeResults(db, [resultOf(claimed[0]!)]);

    const clean = { exhausted_events: 0, failing: 0, last_success_at: noon };
    expect(await storedSubscription(db, 'sub_a')).toMatchObject(clean);
    expect(await storedSubscription(db, 'sub_b')).toMatchObject({
      exhausted_events: 2,
      failing: 1,
      last_success_at: null,
    });
  });

  it('stores the time of the newest of several successes', async () => {
    const { db, claimed } = await openWith(3);
    const at = ['2026-11-20T12:00:01.000Z', '2026-11-20T12:00:03.000Z', '2026-11-20T12:00:02.000Z'];

    await writeResults(
      db,
      claimed.map((delivery, n) => resultOf(delivery, undefined, { at: at[n]! })),
    );

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ last_success_at: at[1] });
  });

  // The second that each attempt of a batch began in, in the order in which the batch has them.
  it.each([
    ['after the success', [0, 1, 2], { exhausted_events: 1, failing: 1 }],
    ['before the success', [2, 0, 1], { exhausted_events: 0, failing: 0 }],
    ['before and after the success', [1, 2, 0], { exhausted_events: 0, failing: 1 }],
  ] as const)('counts the failures of a batch by their time: %s', async (_, seconds, expected) => {
    const { db, claimed } = await openWith(3, { exhausted_events: 4, failing: 1 });
    const verdicts: Verdict[] = [{ kind: 'succeeded' }, retry, { kind: 'exhausted' }];
    const at = seconds.map((second) => `2026-11-20T12:00:0${second}.000Z`);

    await writeResults(
      db,
      claimed.map((delivery, n) => resultOf(delivery, verdicts[n], { at: at[n]! })),
    );

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({
      ...expected,
      last_success_at: at[0],
    });
    expect(await storedSubscription(db, 'sub_b')).toMatchObject({ exhausted_events: 4 });
  });

  it('disables a subscription whose receiver is gone', async () => {
    const { db, claimed } = await openWith(1);

    await writeResults(db, [resultOf(claimed[0]!, { kind: 'gone' })]);

    expect(await storedSubscription(db, 'sub_a')).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
      exhausted_events: 0,
      enabled_at: longAgo,
    });
  });

  it('keeps the reason of a subscription that was disabled meanwhile', async () => {
    const { db, claimed } = await openWith(1);
    const off = { status: 'disabled', disabled_reason: 'requested' } as const;
    await db.updateTable('webhook_subscriptions').set(off).where('id', '=', 'sub_a').execute();

    await writeResults(db, [resultOf(claimed[0]!, { kind: 'gone' })]);

    expect(await storedSubscription(db, 'sub_a')).toMatchObject(off);
  });

  it.each([['succeeded', { kind: 'succeeded' as const }] as const, ...failures])(
    'stores an attempt whose claim has ended, and changes nothing else: one that %s',
    async (_, verdict) => {
      const { db, claim, claimed, attempts } = await openWith(1, { exhausted_events: 1 });
      await claim('2026-11-20T12:00:30.000Z');
      const before = [await storedDelivery(db, 'dlv_1_a'), await storedSubscription(db, 'sub_a')];

      await writeResults(db, [resultOf(claimed[0]!, verdict)]);

      const after = [await storedDelivery(db, 'dlv_1_a'), await storedSubscription(db, 'sub_a')];
      expect(after).toEqual(before);
      expect(await attempts()).toMatchObject([{ delivery_id: 'dlv_1_a' }]);
    },
  );

  it('applies a result that is written again only once', async () => {
    const { db, claimed } = await openWith(1);
    const results = [resultOf(claimed[0]!, { kind: 'exhausted' })];
    await writeResults(db, results);

    await writeResults(db, results);

    expect(await storedDelivery(db, 'dlv_1_a')).toMatchObject({ attempts_made: 4 });
    expect(await storedSubscription(db, 'sub_a')).toMatchObject({ exhausted_events: 1 });
  });

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

  it('writes nothing if all subscriptions were removed, or without results', async () => {
    const { db, claimed, attempts } = await openWith(1);
    await removeSubscription(db, 'sub_a', { at: noon });

    await writeResults(db, [resultOf(claimed[0]!)]);
    await writeResults(db, []);

    expect(await attempts()).toEqual([]);
  });

  it('writes the results of all slots in one call', async () => {
    const { db, claimed } = await openWith(510);
    const kinds: Verdict[] = [{ kind: 'succeeded' }, retry, { kind: 'exhausted' }];

    await writeResults(
      db,
      claimed.map((delivery, n) => resultOf(delivery, kinds[n % 3])),
    );

    const rows = await db
      .selectFrom('webhook_deliveries')
      .select((e) => ['status', e.fn.countAll<number | string>().as('count')])
      .where('subscription_id', '=', 'sub_a')
      .where('claim', 'is', null)
      .groupBy('status')
      .orderBy('status')
      .execute();
    expect(rows.map((row) => ({ ...row, count: Number(row.count) }))).toEqual(
      ['failed', 'pending', 'succeeded'].map((status) => ({ status, count: 170 })),
    );
  });

  it('writes all results or none', async () => {
    const { db, claimed, attempts } = await openWith(2);
    const before = await storedDelivery(db, 'dlv_1_a');
    await breakTable(db, "update on webhook_subscriptions when new.id = 'sub_a'");

    const writing = writeResults(
      db,
      claimed.map((delivery) => resultOf(delivery)),
    );

    await expect(writing).rejects.toThrow('disk full');
    expect(await attempts()).toEqual([]);
    expect(await storedDelivery(db, 'dlv_1_a')).toEqual(before);
  });
});
