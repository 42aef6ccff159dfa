import { describe, expect, it } from 'vitest';
import type { PrintedDelivery, DeliveryStatus } from '../../src/webhooks/delivery/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import type { TestService } from '../support/start-service.ts';
import { shareWebhooks, startWebhooks } from './support/start-webhooks.ts';
import {
  addSubscriber,
  type CreatedSubscription,
  deliveriesOf,
  type Subscriber,
} from './support/subscriber.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const at = '2026-11-20T16:00:00.000Z';

describe('GET /webhooks/{id}/deliveries (contract C27)', () => {
  const service = shareWebhooks();

  it('shows a due delivery without attempts', async () => {
    const subscriber = await addSubscriber(service());
    const subscription = await subscriber.subscribe('due');
    const tested = await subscriber.done('POST', `/webhooks/${subscription.id}/test`);

    const { deliveries } = await deliveriesOf(subscriber, subscription);

    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9a-f]+$/),
        eventId: expect.stringMatching(/^evt_[0-9a-f]+$/),
        type: 'webhook.test',
        status: 'pending',
        nextAttemptAt: at,
        attempts: [],
      },
    ]);
    expect(tested).toEqual(deliveries[0]);
  });

  it('shows every attempt, oldest first, and the time of the next one', async () => {
    const own = await startWebhooks({ config: { webhookRetrySchedule: [0, 60, 60] } });
    own.startDelivery();
    const subscriber = await addSubscriber(own);
    const subscription = await subscriber.subscribe('moody');
    const receiver = own.sandbox.receivers.named('moody');
    const hasAttempts = async (count: number) =>
      eventually(async () => (await only(subscriber, subscription)).attempts.length === count);
    receiver.apply({ answer: { status: 503 } });
    await subscriber.done('POST', `/webhooks/${subscription.id}/test`);
    await hasAttempts(1);

    const first = await only(subscriber, subscription);
    receiver.apply({ answer: { reset: true } });
    setNow(own.scenario, '2026-11-20T16:02:00Z');
    await hasAttempts(2);
    const second = await only(subscriber, subscription);
    receiver.apply({ answer: { status: 500 } });
    setNow(own.scenario, '2026-11-20T16:04:00Z');
    await hasAttempts(3);
    const third = await only(subscriber, subscription);

    const durationMs = expect.any(Number);
    const attempts = [
      { at, statusCode: 503, durationMs, error: null },
      { at: '2026-11-20T16:02:00.000Z', statusCode: null, durationMs, error: 'connection broken' },
      { at: '2026-11-20T16:04:00.000Z', statusCode: 500, durationMs, error: null },
    ];
    expect(first).toMatchObject({ status: 'pending', attempts: attempts.slice(0, 1) });
    expect(first.nextAttemptAt).toMatch(/^2026-11-20T16:0(0:[45]|1:[01])\d\.\d{3}Z$/);
    expect(second).toMatchObject({ status: 'pending', attempts: attempts.slice(0, 2) });
    expect(third).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts });
  });
});

describe('GET /webhooks/{id}/deliveries?status= (contract C27)', () => {
  const service = shareWebhooks();

  it.each(['pending', 'succeeded', 'failed'] as const)(
    'shows deliveries with the status %s',
    async (status) => {
      const subscriber = await addSubscriber(service());
      const subscription = await subscriber.subscribe('mixed');
      const [pending = '', succeeded = '', failed = ''] = await testTimes(
        subscriber,
        subscription,
        3,
      );
      await endAs(service(), 'succeeded', [succeeded]);
      await endAs(service(), 'failed', [failed]);

      const { deliveries } = await deliveriesOf(subscriber, subscription, `?status=${status}`);

      const ids = { pending, succeeded, failed };
      expect(deliveries.map((one) => [one.id, one.status])).toEqual([[ids[status], status]]);
    },
  );
});

describe('GET /webhooks/{id}/deliveries?cursor=&limit= (contract C27)', () => {
  it('returns every delivery once over its pages, newest first, while new ones are made', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const subscription = await subscriber.subscribe('busy');
    const made = [];
    for (const minute of ['01', '02', '03']) {
      setNow(service.scenario, `2026-11-20T16:${minute}:00Z`);
      const ids = await testTimes(subscriber, subscription, 3);
      made.unshift(...ids.sort().reverse());
    }
    setNow(service.scenario, '2026-11-20T16:04:00Z');

    const pages = await walk(subscriber, subscription, {
      query: 'limit=2',
      between: async () => testTimes(subscriber, subscription, 2),
    });

    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 2, 1]);
    expect(pages.flat()).toEqual(made);
  });

  it('returns 50 by default, and at most 200', async () => {
    const service = await startWebhooks();
    const subscriber = await addSubscriber(service);
    const subscription = await subscriber.subscribe('many');
    await testTimes(subscriber, subscription, 201);
    const countOf = async (query: string) => {
      const { deliveries, nextCursor } = await deliveriesOf(subscriber, subscription, query);
      return [deliveries.length, typeof nextCursor];
    };

    const counts = [await countOf(''), await countOf('?limit=200'), await countOf('?limit=9999')];

    expect(counts).toEqual([
      [50, 'string'],
      [200, 'string'],
      [200, 'string'],
    ]);
  });

  const service = shareWebhooks();

  it.each([
    ['?limit=0', "invalid 'limit' — expected positive integer"],
    ['?limit=', "invalid 'limit' — expected positive integer"],
    ['?limit=1&limit=2', "invalid 'limit' — expected positive integer"],
    ['?status=', "invalid 'status' — expected pending, succeeded or failed"],
    ['?status=done', "invalid 'status' — expected pending, succeeded or failed"],
    ['?cursor=', "invalid 'cursor' — expected the nextCursor of the page before"],
    ['?cursor=x', "invalid 'cursor' — expected the nextCursor of the page before"],
  ])('answers 400 to %s', async (query, error) => {
    const subscriber = await addSubscriber(service());
    const { id } = await subscriber.subscribe('pages');

    const answer = await subscriber.get(`/webhooks/${id}/deliveries${query}`);

    expect(formOf(answer)).toEqual(errorForm(400, error));
  });
});

async function only(
  subscriber: Subscriber,
  subscription: CreatedSubscription,
): Promise<PrintedDelivery> {
  const { deliveries } = await deliveriesOf(subscriber, subscription);
  const [delivery] = deliveries;
  if (delivery === undefined || deliveries.length > 1) throw new Error('there is not just one');
  return delivery;
}

/** Sends test events; returns the ids of their deliveries. */
async function testTimes(
  subscriber: Subscriber,
  { id }: CreatedSubscription,
  times: number,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < times) {
    ids.push((await subscriber.done<PrintedDelivery>('POST', `/webhooks/${id}/test`)).id);
  }
  return ids;
}

/** Writes the results that the dispatcher would write. */
async function endAs(
  { core }: TestService,
  status: DeliveryStatus,
  ids: readonly string[],
): Promise<void> {
  const deliveries = core.db.updateTable('webhook_deliveries').where('id', 'in', ids);
  await deliveries.set({ status, due_at: null }).execute();
}

/** Reads all pages; each is a list of ids. */
async function walk(
  subscriber: Subscriber,
  subscription: CreatedSubscription,
  { query, between }: { readonly query: string; readonly between?: () => Promise<unknown> },
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor = '';
  for (;;) {
    const page = await deliveriesOf(subscriber, subscription, `?${query}${cursor}`);
    pages.push(page.deliveries.map(({ id }) => id));
    if (page.nextCursor === null) return pages;
    cursor = `&cursor=${page.nextCursor}`;
    await between?.();
  }
}
