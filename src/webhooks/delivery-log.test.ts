import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Db } from '../platform/database/database.ts';
import {
  claimsOf,
  longAgo,
  noon,
  resultOf,
  storeDeliveries,
  storedDelivery,
  storeEvent,
  storeKey,
  storeTest,
  storeSubscription,
} from '../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts';
import { writeResults } from './attempt-results.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery.ts';
import {
  type DeliveryCursor,
  findDelivery,
  listDeliveries,
  replayDelivery,
  replaySince,
} from './delivery-log.ts';
import { claimDue } from './delivery-store.ts';

const later = '2026-11-20T13:00:00.000Z';
const subscription = { id: 'sub_a', events: ['rates.changed'] } as const;

async function openWithSubscription(): Promise<Db> {
  const db = await openTemporaryDatabase();
  await storeKey(db);
  await storeSubscription(db, { id: 'sub_a' });
  return db;
}

/** All pages of so many, each a list of ids. */
async function readPages(db: Db, limit: number, status?: DeliveryStatus): Promise<string[][]> {
  const pages: string[][] = [];
  let after: DeliveryCursor | undefined;
  do {
    const page = await listDeliveries(db, { subscriptionId: 'sub_a', status, after, limit });
    pages.push(page.deliveries.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return pages;
}

/** Makes a delivery failed, with so many attempts behind it. */
async function giveUp(db: Db, id: string, attemptsMade = 10): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, attempts_made: attemptsMade })
    .where('id', '=', id)
    .execute();
}

describe('listDeliveries (contract C27)', () => {
  it('gives every delivery once, the newest first, whatever the pages and the status', async () => {
    const anyDelivery = fc.record({
      hour: fc.integer({ min: 10, max: 13 }),
      status: fc.constantFrom(...deliveryStatuses),
    });

    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDelivery, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 13 }),
        fc.option(fc.constantFrom(...deliveryStatuses), { nil: undefined }),
        async (wanted, limit, status) => {
          const db = await openWithSubscription();
          const rows = wanted.map(({ hour, status: own }, n) => ({
            id: `dlv_${String(n).padStart(2, '0')}`,
            event_id: `evt_${n}`,
            subscription_id: 'sub_a',
            status: own,
            created_at: `2026-11-20T${hour}:00:00.000Z`,
          }));
          await storeDeliveries(db, ...rows, { event_id: 'evt_1', subscription_id: 'sub_b' });
          for (const { event_id: id } of rows) await storeEvent(db, { id });

          const pages = await readPages(db, limit, status);

          const expected = rows
            .filter((row) => status === undefined || row.status === status)
            .sort((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1))
            .map(({ id }) => id);
          expect(pages.flat()).toEqual(expected);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
          await db.destroy();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('gives each with its event and its attempts, the oldest first', async () => {
    const db = await openWithSubscription();
    const testId = await storeTest(db, 'sub_a', later);
    await storeEvent(db, { id: 'evt_1' });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a' });
    const [first] = await claimDue(db, claimsOf());
    await writeResults(db, [resultOf(first!, { kind: 'retry', dueAt: noon }, { at: later })]);
    const [second] = await claimDue(db, claimsOf({ failing: true }));
    const error = 'connection refused';
    const retry = { kind: 'retry', dueAt: later } as const;
    await writeResults(db, [resultOf(second!, retry, { at: noon, statusCode: null, error })]);

    const page = await listDeliveries(db, {
      subscriptionId: 'sub_a',
      status: undefined,
      after: undefined,
      limit: 2,
    });

    expect(page).toEqual({
      deliveries: [
        {
          id: testId,
          eventId: (await storedDelivery(db, testId)).event_id,
          type: 'webhook.test',
          status: 'pending',
          nextAttemptAt: later,
          attempts: [],
        },
        {
          id: 'dlv_1a',
          eventId: 'evt_1',
          type: 'rates.changed',
          status: 'pending',
          nextAttemptAt: later,
          attempts: [
            { at: noon, statusCode: null, durationMs: 7, error },
            { at: later, statusCode: 500, durationMs: 7, error: null },
          ],
        },
      ],
      next: undefined,
    });
  });
});

describe('findDelivery (contract C27)', () => {
  it('gives a delivery of the subscription, and none of another', async () => {
    const db = await openWithSubscription();
    await storeSubscription(db, { id: 'sub_b' });
    const [id, otherId] = [await storeTest(db, 'sub_a', noon), await storeTest(db, 'sub_b', noon)];

    expect(await findDelivery(db, 'sub_a', id)).toMatchObject({ id, nextAttemptAt: noon });
    expect(await findDelivery(db, 'sub_a', otherId)).toBeUndefined();
  });
});

describe('replayDelivery (contract C27)', () => {
  it('makes it due now with the whole schedule before it, and keeps its attempts', async () => {
    const db = await openWithSubscription();
    const [id, otherId] = [await storeTest(db, 'sub_a', noon), await storeTest(db, 'sub_a', noon)];
    const claimed = await claimDue(db, claimsOf());
    await writeResults(
      db,
      claimed.map((one) => resultOf(one, { kind: 'exhausted' })),
    );

    await db.transaction().execute(async (tx) => replayDelivery(tx, id, later));

    const replayed = { status: 'pending', due_at: later, attempts_made: 0, created_at: noon };
    expect(await storedDelivery(db, id)).toMatchObject(replayed);
    expect((await findDelivery(db, 'sub_a', id))?.attempts).toHaveLength(1);
    expect(await storedDelivery(db, otherId)).toMatchObject({ status: 'failed', due_at: null });
  });

  it('is not ended by an attempt that was under way before it', async () => {
    const db = await openWithSubscription();
    const id = await storeTest(db, 'sub_a', noon);
    const [claimed] = await claimDue(db, claimsOf());

    await db.transaction().execute(async (tx) => replayDelivery(tx, id, noon));
    await writeResults(db, [resultOf(claimed!)]);

    expect(await storedDelivery(db, id)).toMatchObject({ status: 'pending', due_at: noon });
    expect(await claimDue(db, claimsOf())).toMatchObject([{ id, attemptsMade: 0 }]);
  });
});

describe('replaySince (contract C27)', () => {
  it('delivers every event since then once more, also those from before the subscription', async () => {
    const db = await openWithSubscription();
    await storeEvent(db, { id: 'evt_1', created_at: longAgo });
    await storeEvent(db, { id: 'evt_2', created_at: noon });
    await storeEvent(db, { id: 'evt_3', created_at: later });
    const pairs = ['evt_1', 'evt_3'].map((event_id) => ({ event_id, subscription_id: 'sub_a' }));
    await storeDeliveries(db, ...pairs);
    await giveUp(db, 'dlv_1a');
    await giveUp(db, 'dlv_3a');

    const count = await replaySince(db, subscription, noon, later);

    expect(count).toBe(2);
    const anew = { status: 'pending', due_at: later, attempts_made: 0, claim: null };
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({ status: 'failed', due_at: null });
    expect(await storedDelivery(db, 'dlv_2a')).toMatchObject({ ...anew, created_at: later });
    expect(await storedDelivery(db, 'dlv_3a')).toMatchObject({ ...anew, created_at: noon });
  });

  it('delivers nothing that the subscription is not for, and to nobody else', async () => {
    const db = await openWithSubscription();
    const testId = await storeTest(db, 'sub_a', noon);
    await storeEvent(db, { id: 'evt_1' });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_b' });
    await giveUp(db, testId);
    await giveUp(db, 'dlv_1b');

    const count = await replaySince(db, subscription, noon, later);

    expect(count).toBe(1);
    expect(await storedDelivery(db, testId)).toMatchObject({ status: 'failed' });
    expect(await storedDelivery(db, 'dlv_1b')).toMatchObject({ status: 'failed' });
    expect(await storedDelivery(db, 'dlv_1a')).toMatchObject({ status: 'pending' });
  });

  it('gives 0 when nothing has happened since', async () => {
    const db = await openWithSubscription();
    await storeEvent(db, { id: 'evt_1', created_at: '2026-11-20T11:59:59.999Z' });

    expect(await replaySince(db, subscription, noon, later)).toBe(0);
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });
});
