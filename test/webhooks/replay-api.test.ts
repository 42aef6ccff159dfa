import { describe, expect, it } from 'vitest';
import type { PrintedDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import type { TestService } from '../support/start-service.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, deliveriesOf, type Subscriber } from './support/subscriber.ts';
import { changeRate, setNow } from '../support/sandbox/scripts.ts';

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

  it('answers before the receiver does', async () => {
    const service = await startWebhooks();
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('slow');
    service.sandbox.receivers.named('slow').apply({ answer: { delayMs: 1_000 } });

    const delivery = await subscriber.done('POST', `/webhooks/${id}/test`);

    expect(delivery).toMatchObject({ status: 'pending', attempts: [] });
  });

  it('sends to that subscription only', async () => {
    const service = await startWebhooks();
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('tested');
    const other = await subscriber.subscribe('other');

    await subscriber.done('POST', `/webhooks/${id}/test`);
    const { receivers } = service.sandbox;
    await eventually(() => receivers.named('tested').received.length === 1);

    expect((await deliveriesOf(subscriber, other)).deliveries).toEqual([]);
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

  it('begins the schedule again', async () => {
    const service = await startWebhooks({ config: { webhookRetrySchedule: [0, 60] } });
    service.startDelivery();
    const subscriber = await addSubscriber(service);
    const { id } = await subscriber.subscribe('receiver');
    service.sandbox.receivers.named('receiver').apply({ answer: { status: 500 } });
    const { id: deliveryId } = await subscriber.done<PrintedDelivery>(
      'POST',
      `/webhooks/${id}/test`,
    );
    const hasAttempts = async (count: number) =>
      eventually(async () => (await first(subscriber, id)).attempts.length === count);
    await hasAttempts(1);
    setNow(service.scenario, '2026-11-20T16:02:00Z');
    await hasAttempts(2);
    const givenUp = await first(subscriber, id);

    await subscriber.done('POST', `/webhooks/${id}/deliveries/${deliveryId}/replay`);
    await hasAttempts(3);

    expect(givenUp.status).toBe('failed');
    expect((await first(subscriber, id)).status).toBe('pending');
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

describe('POST /webhooks/{id}/replay (contract C27)', () => {
  const script = {
    script: (scenario: TestService['scenario']) => {
      changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-18');
      changeRate(scenario, 'IE', 'standard', ['24'], '2026-11-19');
      changeRate(scenario, 'SE', 'standard', ['24'], '2026-11-20');
    },
    lived: [
      '2026-11-17T16:00:00Z',
      '2026-11-18T16:00:00Z',
      '2026-11-19T16:00:00Z',
      '2026-11-20T16:00:00Z',
    ],
  };
  const service = shareWebhooks(script);

  it.each([
    ['a date', '2026-11-19', '2026-11-19T00:00:00.000Z', 2],
    ['a date before everything', '2020-01-01', '2020-01-01T00:00:00.000Z', 3],
    ['a date after everything', '2026-11-21', '2026-11-21T00:00:00.000Z', 0],
    ['an instant', '2026-11-19T16:00:00Z', '2026-11-19T16:00:00.000Z', 2],
    ['an instant just after', '2026-11-19T16:00:00.001Z', '2026-11-19T16:00:00.001Z', 1],
    ['another zone', '2026-11-19T17:00:00+01:00', '2026-11-19T16:00:00.000Z', 2],
  ])('answers 202 with the number of events since %s', async (_what, since, read, events) => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('counted');

    const answer = await subscriber.send('POST', `/webhooks/${id}/replay`, { since });

    expect(answer.status).toBe(202);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({ since: read, events });
    expect((await deliveriesOf(subscriber, { id })).deliveries).toHaveLength(events);
  });

  it('sends the events from before the subscription, with the rows of /changes', async () => {
    const own = await startWebhooks(script);
    own.startDelivery();
    const subscriber = await addSubscriber(own);
    const { id } = await subscriber.subscribe('late');

    await subscriber.done('POST', `/webhooks/${id}/replay`, { since: '2026-11-19' });
    const { received } = own.sandbox.receivers.named('late');
    await eventually(() => received.length === 2);

    const answers = [
      await subscriber.get('/changes/2026-11-19'),
      await subscriber.get('/changes/2026-11-20'),
    ];
    const bodies = received.map(({ body }) => body as Record<string, unknown>);
    expect(received.every(({ verified }) => verified === true)).toBe(true);
    expect(bodies.map((body) => body['changes']).sort(bySnapshotDate)).toEqual(
      answers.map(({ text }) => (JSON.parse(text) as Record<string, unknown>)['changes']),
    );
  });

  it('sends delivered events again, as the same deliveries, and no tests', async () => {
    const own = await startWebhooks(script);
    own.startDelivery();
    const subscriber = await addSubscriber(own);
    const { id } = await subscriber.subscribe('again');
    await subscriber.done('POST', `/webhooks/${id}/test`);
    const { received } = own.sandbox.receivers.named('again');
    await subscriber.done('POST', `/webhooks/${id}/replay`, { since: '2026-11-20' });
    await eventually(async () => (await stillPending(subscriber, id)) === 0);

    const again = await subscriber.done('POST', `/webhooks/${id}/replay`, { since: '2026-11-19' });
    await eventually(async () => (await stillPending(subscriber, id)) === 0);

    const { deliveries } = await deliveriesOf(subscriber, { id });
    expect(again).toMatchObject({ events: 2 });
    expect(received).toHaveLength(4);
    expect(deliveries.map(({ type, attempts }) => `${type} ${attempts.length}`).sort()).toEqual([
      'rates.changed 1',
      'rates.changed 2',
      'webhook.test 1',
    ]);
  });
});

describe('tests and replays (contract C27)', () => {
  const service = shareWebhooks();

  it.each<[path: string, body?: object]>([
    ['test'],
    ['deliveries/{deliveryId}/replay'],
    ['replay', { since: '2026-11-20' }],
  ])('are 409 while the subscription is disabled: %s', async (path, body) => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('disabled');
    const delivery = await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`);
    await subscriber.done('PATCH', `/webhooks/${id}`, { status: 'disabled' });

    const target = `/webhooks/${id}/${path.replace('{deliveryId}', delivery.id)}`;
    const answer = await subscriber.send('POST', target, body);

    expect(formOf(answer)).toEqual(isDisabled);
    expect((await deliveriesOf(subscriber, { id })).deliveries).toEqual([delivery]);
  });
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

async function stillPending(subscriber: Subscriber, id: string): Promise<number> {
  return (await deliveriesOf(subscriber, { id }, '?status=pending')).deliveries.length;
}

function bySnapshotDate(a: unknown, b: unknown): number {
  const dateOf = (rows: unknown) =>
    JSON.stringify(rows).match(/"snapshotDate":"([^"]+)/)?.[1] ?? '';
  return dateOf(a) < dateOf(b) ? -1 : 1;
}
