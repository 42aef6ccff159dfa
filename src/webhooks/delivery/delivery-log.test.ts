import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import {
  claimsOf,
  noon,
  openWithSubscription,
  resultOf,
  storeDeliveries,
  storedDelivery,
  storeEvent,
  storeTest,
  storeSubscription,
} from '../../../test/support/stored-webhooks.ts';
import { countRead, statementsOf, stepsOf } from '../../../test/support/query-plan.ts';
import { isPostgresql } from '../../../test/support/temporary-database.ts';
import { writeResults } from './delivery-results.ts';
import { type DeliveryStatus, deliveryStatuses } from './delivery.ts';
import { type DeliveryCursor, findDelivery, listDeliveries } from './delivery-log.ts';
import { claimDue } from './store.ts';

const later = '2026-11-20T13:00:00.000Z';

/** Reads all pages; each is a list of ids. */
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

const readFailed = async (of: Db) => readPages(of, 10, 'failed');

/** Opens a database with 20 failed deliveries, which are older than 6,000 others. */
async function openWithFailed(): Promise<Db> {
  const db = await openWithSubscription();
  const rows = Array.from({ length: 6_020 }, (_, n) => ({
    id: `dlv_${String(n).padStart(4, '0')}`,
    event_id: `evt_${n}`,
    subscription_id: 'sub_a',
    status: n < 20 ? ('failed' as const) : ('succeeded' as const),
    created_at: n < 20 ? noon : later,
  }));
  for (let from = 0; from < rows.length; from += 500) {
    await storeDeliveries(db, ...rows.slice(from, from + 500));
  }
  for (const { event_id: id } of rows.slice(0, 20)) await storeEvent(db, { id });
  if (isPostgresql) await sql`analyze`.execute(db);
  return db;
}

describe('listDeliveries (contract C27)', () => {
  it.runIf(isPostgresql)('reads few deliveries of another status', async () => {
    const db = await openWithFailed();

    expect(await countRead(db, readFailed)).toBeLessThan(300);
  });

  it.skipIf(isPostgresql)('is read by the index of the status', async () => {
    const db = await openWithFailed();
    const statements = await statementsOf(db, readFailed);

    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      const steps = (await stepsOf(db, statement)).join('\n').replaceAll(' COVERING', '');
      expect(steps).toContain('INDEX webhook_deliveries_of_status (subscription_id=? AND status=?');
    }
  });

  it('returns every delivery once, newest first, for any page size and status', async () => {
    const db = await openWithSubscription();
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
          await db.deleteFrom('webhook_deliveries').execute();
          await db.deleteFrom('events').execute();
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
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns each delivery with its event and its attempts, oldest attempt first', async () => {
    const db = await openWithSubscription();
    const testId = await storeTest(db, 'sub_a', later);
    await storeEvent(db, { id: 'evt_1' });
    await storeDeliveries(db, { event_id: 'evt_1', subscription_id: 'sub_a' });
    const [first] = await claimDue(db, claimsOf());
    await writeResults(db, [resultOf(first!, { kind: 'retry', dueAt: noon }, { at: later })]);
    const [second] = await claimDue(db, claimsOf({ failing: true }));
    const error = 'connection refused';
    const retry = { kind: 'retry', dueAt: later } as const;
    await writeResults(db, [resultOf(second!, retry, { at: noon, statusCode: undefined, error })]);

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
            { at: noon, statusCode: undefined, durationMs: 7, error },
            { at: later, statusCode: 500, durationMs: 7, error: undefined },
          ],
        },
      ],
      next: undefined,
    });
  });
});

describe('findDelivery (contract C27)', () => {
  it('returns a delivery of the subscription, and none of another subscription', async () => {
    const db = await openWithSubscription();
    await storeSubscription(db, { id: 'sub_b' });
    const [id, otherId] = [await storeTest(db, 'sub_a', noon), await storeTest(db, 'sub_b', noon)];

    expect(await findDelivery(db, 'sub_a', id)).toMatchObject({ id, nextAttemptAt: noon });
    expect(await findDelivery(db, 'sub_a', otherId)).toBeUndefined();
  });
});
