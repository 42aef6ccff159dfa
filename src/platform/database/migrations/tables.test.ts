import { describe, expect, it } from 'vitest';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import {
  storeDeliveries,
  storeEvent,
  storeSubscription,
} from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';

const checks = "vat_checks where key_id = 'key_a'";
const newest = 'order by id desc limit 100';
const positions = 'position > 5 and position <= 9 order by position';

const reads = [
  `key_secrets where key_id = '1' order by created_at`,
  `key_secrets where secret_hash = '1'`,
  `key_use where key_id = '1' and use_date > '2'`,
  `key_use where use_date < '1' limit 250`,
  `rate_changes where detected_at < '3' order by detected_at desc, country, field`,
  `rate_changes where country = '1' and detected_at < '3' order by detected_at desc, field`,
  `rate_changes where snapshot_date = '1' order by country, field`,
  `webhook_subscriptions where key_id = '1' order by created_at`,
  `webhook_secrets where subscription_id = '1'`,
  `webhook_deliveries where due_at <= '1' order by due_at, id`,
  `webhook_deliveries where subscription_id = '1' order by created_at desc, id desc`,
  `webhook_deliveries where subscription_id = '1' and event_id = '2'`,
  `webhook_deliveries where due_at is null and created_at < '1'`,
  `webhook_attempts where delivery_id = '1' order by at`,
  `${checks} ${newest}`,
  `${checks} and id < 'vc_1' ${newest}`,
  `${checks} and registry_code = 'DE' and number = '1' order by id desc`,
  `${checks} and registry_code = 'DE' ${newest}`,
  `${checks} and status = 'pending' ${newest}`,
  `${checks} and valid = 0 ${newest}`,
  `${checks} and reference = 'r' ${newest}`,
  `${checks} and status = 'pending' and expires_at <= '2026'`,
  `${checks} and registry_code = 'DE' and due_at <= '2026' order by due_at, id`,
  `vat_checks where batch_id = 'vb_1' and status = 'pending'`,
  `vat_checks where registry_code = 'DE' and due_at <= '2026'`,
  `vat_checks where id < 'vc_0198'`,
  `vat_check_idempotency where created_at < '2026'`,
  `vat_watches where key_id = 'key_a' order by id desc`,
  `vat_watches where key_id = 'key_a' and registry_code = 'DE' and number = '1'`,
  `vat_watches where due_at <= '2026' order by due_at, id`,
  `vat_watches where registry_code = 'DE' and number = '1'`,
  `vat_watches where baseline_check_id = 'vc_1'`,
  `events where subject = 'vc_1'`,
  `events where key_id = 'key_a' and type = 'vat.checked' and created_at >= '2026'`,
  `events where key_id is null and type = 'rates.changed' and created_at >= '2026'`,
  `events where key_id = 'key_a' and type = 'vat.checked' and ${positions}`,
  `events where key_id is null and type = 'rates.changed' and ${positions}`,
  `events where ${positions}`,
  `event_log_epochs where position <= 9 order by position desc`,
];

describe('a migrated database', () => {
  it('finds and sorts rows by an index', async () => {
    const db = await openTemporaryDatabase();
    const plans: string[] = [];

    for (const from of reads) plans.push(`${from}: ${await explainAccess(db, from)}`);

    expect(plans.filter((plan) => !plan.endsWith(': by index'))).toEqual([]);
  });

  it('refuses a second event of one date, and a second delivery of one event', async () => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    const event = { type: 'rates.changed', snapshot_date: '2026-11-01' } as const;
    await storeEvent(db, { id: 'evt_1', ...event });
    const delivery = { event_id: 'evt_1', subscription_id: 'sub_a' };
    await storeDeliveries(db, delivery);

    const unique = /unique constraint/i;
    await expect(storeEvent(db, { id: 'evt_2', ...event })).rejects.toThrow(unique);
    await expect(storeDeliveries(db, { id: 'dlv_2', ...delivery })).rejects.toThrow(unique);
  });

  it('gives each event of the log the next position, also after the last one was deleted', async () => {
    const db = await openTemporaryDatabase();
    await storeEvent(db, { id: 'evt_1' });
    await storeEvent(db, { id: 'evt_2', type: 'webhook.test', snapshot_date: null });
    await storeEvent(db, { id: 'evt_3' });
    await db.deleteFrom('events').where('id', '=', 'evt_3').execute();
    await storeEvent(db, { id: 'evt_4' });
    // A copy keeps positions.
    await storeEvent(db, { id: 'evt_5', position: 7_000_000_000 });

    const rows = await db.selectFrom('events').select(['id', 'position']).orderBy('id').execute();

    expect(rows.map(({ id, position }) => [id, position])).toEqual([
      ['evt_1', 1],
      ['evt_2', null],
      ['evt_4', 3],
      ['evt_5', 7_000_000_000],
    ]);
  });
});
