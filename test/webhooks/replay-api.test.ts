import { describe, expect, it } from 'vitest';
import type { PrintedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf, type Subscriber } from './support/subscriber.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const isDisabled = errorForm(409, 'subscription is disabled');

describe('POST /webhooks/{id}/test (contract C27)', () => {
  it('answers 202 with the delivery, and a webhook.test event arrives', async () => {
    const service = await startWebhooks();
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('tested');

    const answer = await subscriber.send('POST', `/webhooks/${id}/test`);

    const delivery = JSON.parse(answer.text) as PrintedDelivery;
    const { received } = service.sandbox.receivers.named('tested');
    await eventually(() => received.length > 0);
    expect(answer.status).toBe(202);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(delivery).toMatchObject({ type: 'webhook.test' });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      id: delivery.eventId,
      verified: true,
      body: {
        type: 'webhook.test',
        timestamp: '2026-11-20T16:00:00.000Z',
        snapshotDate: null,
        changes: [],
        count: 0,
      },
    });
  });
});

describe('POST /webhooks/{id}/deliveries/{deliveryId}/replay (contract C27)', () => {
  it('answers 202, and the same event arrives again; earlier attempts stay', async () => {
    const { service, subscriber, id, delivery } = await startWithDelivered();
    setNow(service.scenario, '2026-11-20T17:00:00Z');

    const answer = await subscriber.send(
      'POST',
      `/webhooks/${id}/deliveries/${delivery.id}/replay`,
    );
    const { received } = service.sandbox.receivers.named('receiver');
    await eventually(async () => (await first(subscriber, id)).attempts.length === 2);

    expect(answer.status).toBe(202);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({
      ...delivery,
      status: 'pending',
      nextAttemptAt: '2026-11-20T17:00:00.000Z',
    });
    expect(received.map((one) => [one.id, one.verified, one.seenBefore])).toEqual([
      [delivery.eventId, true, false],
      [delivery.eventId, true, true],
    ]);
    expect(received[1]?.bytes).toEqual(received[0]?.bytes);
    expect(await first(subscriber, id)).toMatchObject({ id: delivery.id, status: 'succeeded' });
  });

  it('is not undone by the result of an attempt that was under way', async () => {
    const service = await startWebhooks({ config: { webhookRetrySchedule: [0] } });
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('receiver');
    const receiver = service.sandbox.receivers.named('receiver');
    receiver.apply({ answer: { status: 500, delayMs: 1_000, times: 1 } });
    const { id: deliveryId } = await subscriber.done<PrintedDelivery>(
      'POST',
      `/webhooks/${id}/test`,
    );
    await eventually(() => receiver.received.length === 1);

    await subscriber.done('POST', `/webhooks/${id}/deliveries/${deliveryId}/replay`);
    await eventually(async () => (await first(subscriber, id)).status !== 'pending');

    expect(await first(subscriber, id)).toMatchObject({ status: 'succeeded' });
  });

  it("is 404 for another subscription's delivery, also of the same key", async () => {
    const { service, subscriber, id, delivery } = await startWithDelivered();
    const { id: other } = await subscriber.subscribe('other');
    const { id: another } = await (await addSubscriber(service)).subscribe('another');

    const answers = [
      await subscriber.send('POST', `/webhooks/${other}/deliveries/${delivery.id}/replay`),
      await subscriber.send('POST', `/webhooks/${another}/deliveries/${delivery.id}/replay`),
      await subscriber.send('POST', `/webhooks/${id}/deliveries/dlv_0/replay`),
    ];

    expect(answers.map(formOf)).toEqual(Array(3).fill(errorForm(404, 'not found')));
    expect(await first(subscriber, id)).toEqual(delivery);
  });
});

describe('tests and replays (contract C27)', () => {
  const service = shareWebhooks();

  it('allow one replay of a delivery a minute: the next is 429 RATE_LIMITED', async () => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('often');
    const delivery = await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`);
    const path = `/webhooks/${id}/deliveries/${delivery.id}/replay`;

    const answers = [await subscriber.send('POST', path), await subscriber.send('POST', path)];

    expect(answers[0]?.status).toBe(202);
    expect(formOf(answers[1]!)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(answers[1]?.headers).toMatchObject({
      'retry-after': '60',
      'ratelimit-policy': '"replays-of-delivery";q=1;w=60',
      ratelimit: '"replays-of-delivery";r=0;t=60',
    });
  });

  it.each(['test', 'deliveries/{deliveryId}/replay'])(
    'are 409 while the subscription is disabled: %s',
    async (path) => {
      const subscriber = await addSubscriber(service());
      const { id } = await subscriber.subscribe('disabled');
      const delivery = await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`);
      await subscriber.done('PATCH', `/webhooks/${id}`, { status: 'disabled' });

      const target = `/webhooks/${id}/${path.replace('{deliveryId}', delivery.id)}`;
      const answer = await subscriber.send('POST', target);

      expect(formOf(answer)).toEqual(isDisabled);
      expect((await deliveriesOf(subscriber, { id })).deliveries).toEqual([delivery]);
    },
  );
});

/** A subscription with one delivery that arrived. */
async function startWithDelivered() {
  const service = await startWebhooks();
  service.startDelivery();
  const subscriber = await addSubscriber(service);
  const { id } = await subscriber.subscribe('receiver');
  await subscriber.done('POST', `/webhooks/${id}/test`);
  await eventually(async () => (await first(subscriber, id)).status === 'succeeded');
  return { service, subscriber, id, delivery: await first(subscriber, id) };
}

async function first(subscriber: Subscriber, id: string): Promise<PrintedDelivery> {
  const [delivery] = (await deliveriesOf(subscriber, { id })).deliveries;
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery;
}
