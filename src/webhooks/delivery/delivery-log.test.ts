import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import {
  noon,
  openWithSubscription,
  storeDeliveries,
  storeEvent,
} from '../../../test/support/stored-webhooks.ts';
import { countRead, statementsOf, stepsOf } from '../../../test/support/query-plan.ts';
import { isPostgresql } from '../../../test/support/temporary-database.ts';
import { type DeliveryStatus } from './delivery.ts';
import { type DeliveryCursor, listDeliveries } from './delivery-log.ts';

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
});
