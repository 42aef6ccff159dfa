import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { today, tomorrow, WebhookService, yesterday } from './support/webhook-service.ts';

/** Creates a second subscription, of `categories.changed` alone, and returns its receiver. */
async function subscribe(world: WebhookService) {
  const { caller, service } = world;
  const created = await caller.post<{ readonly secret: string }>(
    '',
    { url: service.sandbox.receiverUrl('goods'), events: ['categories.changed'] },
    201,
  );
  const receiver = service.sandbox.receivers.named('goods');
  receiver.apply({ secrets: [created.secret] });
  return receiver;
}

describe('categories.changed (rule G9)', () => {
  it('is sent once to subscriptions that name it, with the text of the API', async () => {
    const world = await WebhookService.start();
    const goods = await subscribe(world);

    await world.publish(today);
    await eventually(() => goods.received.length > 0 && world.receiver.received.length > 0);
    // A delivery whose end is not stored before time moves is sent again.
    await world.looked();
    await world.publish(tomorrow);
    await world.looked();

    const { status, text, headers } = await world.service.get(`/rates/${today}/categories/changes`);
    expect(goods.received).toMatchObject([
      { verified: true, body: { type: 'categories.changed', snapshotDate: today } },
    ]);
    const body = goods.received[0]?.bytes.toString() ?? '';
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(body.slice(body.indexOf('"changes":'))).toBe(text.slice(text.indexOf('"changes":')));
    // The other subscription names no events.
    expect(world.receiver.received).toMatchObject([{ body: { type: 'rates.changed' } }]);
  });

  it('is not sent for the first snapshot with rows, nor for a day without changes', async () => {
    const world = await WebhookService.start();
    const goods = await subscribe(world);
    const events = world.service.core.db.selectFrom('events').select(['type', 'snapshot_date']);
    const first = await events.execute();

    await world.publish(today);
    await eventually(() => goods.received.length > 0);
    const { text } = await world.service.get(`/rates/${yesterday}/categories/changes`);
    await world.publish(tomorrow);
    const second = await world.service.get(`/rates/${tomorrow}/categories/changes`);

    expect(first).toEqual([]);
    expect(JSON.parse(text)).toEqual({ snapshotDate: yesterday, changes: [], count: 0 });
    expect(JSON.parse(second.text)).toEqual({ snapshotDate: tomorrow, changes: [], count: 0 });
    const ofGoods = (await events.execute()).filter(({ type }) => type === 'categories.changed');
    expect(ofGoods).toEqual([{ type: 'categories.changed', snapshot_date: today }]);
  });
});
