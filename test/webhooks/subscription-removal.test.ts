import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/platform/database/audit.ts';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/start-service.ts';
import { startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf, type DeliveryList } from './support/subscriber.ts';

describe('DELETE /webhooks/{id} (contract C27)', () => {
  it('answers 204 without a body; the subscription is then 404', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('removed');
    const { id: kept } = await subscriber.subscribe('kept');

    const answer = await subscriber.send('DELETE', `/webhooks/${id}`);

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await subscriber.send('GET', `/webhooks/${id}`)).status).toBe(404);
    expect((await subscriber.send('DELETE', `/webhooks/${id}`)).status).toBe(404);
    expect(await subscriber.done('GET', '/webhooks')).toMatchObject({ webhooks: [{ id: kept }] });
  });

  it('removes its secrets, deliveries and attempts, and none of another subscription', async () => {
    const service = await startWebhooks();
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const headers = { 'x-gateway': 'open sesame' };
    const removed = await subscriber.subscribe('removed', { headers });
    const kept = await subscriber.subscribe('kept', { headers });
    for (const { id } of [removed, kept]) {
      await subscriber.done('POST', `/webhooks/${id}/rotate-secret`);
      await subscriber.done('POST', `/webhooks/${id}/test`);
      const one = { id };
      await eventually(async () => hasSucceeded(await deliveriesOf(subscriber, one)));
    }

    await subscriber.done('DELETE', `/webhooks/${removed.id}`);

    expect(await countRows(service)).toEqual({
      webhook_subscriptions: 1,
      webhook_secrets: 2,
      webhook_headers: 1,
      webhook_deliveries: 1,
      webhook_attempts: 1,
    });
    expect((await deliveriesOf(subscriber, kept)).deliveries).toHaveLength(1);
  });

  it('cancels its pending deliveries', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('removed');
    const { id: kept } = await subscriber.subscribe('kept');
    await subscriber.done('POST', `/webhooks/${id}/test`);
    await subscriber.done('POST', `/webhooks/${kept}/test`);

    await subscriber.done('DELETE', `/webhooks/${id}`);
    service.startDelivery();
    const { receivers } = service.sandbox;
    await eventually(() => receivers.named('kept').received.length === 1);

    expect(receivers.named('removed').received).toEqual([]);
  });
});

function hasSucceeded({ deliveries }: DeliveryList): boolean {
  return deliveries.every(({ status }) => status === 'succeeded');
}

async function countRows({ core }: TestService): Promise<Readonly<Record<string, number>>> {
  const tables = [
    'webhook_subscriptions',
    'webhook_secrets',
    'webhook_headers',
    'webhook_deliveries',
    'webhook_attempts',
  ] as const;
  const counts = tables.map(async (table) => {
    const rows = await core.db
      .selectFrom(table)
      .select((e) => e.lit(1).as('row'))
      .execute();
    return [table, rows.length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

describe('the audit (contract C27)', () => {
  it('names the key with which a subscription was created, changed and removed', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);

    const { id } = await subscriber.subscribe('audited');
    await subscriber.done('PATCH', `/webhooks/${id}`, { status: 'disabled' });
    await subscriber.done('POST', `/webhooks/${id}/rotate-secret`);
    await subscriber.done('DELETE', `/webhooks/${id}`);

    const entries = (await listAudit(service.core.db, 20)).filter(({ subject }) => subject === id);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'webhooks.change',
      'webhooks.create',
      'webhooks.remove',
      'webhooks.rotate-secret',
    ]);
    expect(new Set(entries.map(({ detail }) => detail['keyId']))).toEqual(new Set([subscriber.id]));
  });
});
