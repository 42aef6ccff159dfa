import { describe, expect, it } from 'vitest';
import { limitHeadersOf, usedBy } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareWebhooks } from './support/start-webhooks.ts';
import { addSubscriber, type Subscriber } from './support/subscriber.ts';

const url = 'https://198.100.0.1/';
const unknown = '/webhooks/sub_0000000000000000';
const service = shareWebhooks();

/** Every route, with the status of its answer to the owner. */
const routes: readonly [status: number, method: string, path: string, body?: object][] = [
  [200, 'GET', '/webhooks'],
  [200, 'HEAD', '/webhooks'],
  [201, 'POST', '/webhooks', { url }],
  [200, 'GET', '/webhooks/{id}'],
  [200, 'PATCH', '/webhooks/{id}', { description: 'x' }],
  [204, 'DELETE', '/webhooks/{id}'],
  [200, 'POST', '/webhooks/{id}/rotate-secret'],
  [202, 'POST', '/webhooks/{id}/test'],
  [200, 'GET', '/webhooks/{id}/deliveries'],
  [202, 'POST', '/webhooks/{id}/deliveries/{deliveryId}/replay'],
];

describe('a management call (contract C3, C27)', () => {
  it.each(routes)('with %i to %s %s is charged once', async (status, method, path, body) => {
    const { subscriber, fill } = await prepare();
    const before = await usedBy(subscriber);

    const answer = await subscriber.send(method, fill(path), body);

    expect(before).toEqual([2, 2]);
    expect([answer.status, await usedBy(subscriber)]).toEqual([status, [3, 3]]);
  });

  it.each<[status: number, what: string, method: string, path: string, body?: object]>([
    [404, 'no subscription', 'GET', unknown],
    [404, 'no subscription to delete', 'DELETE', unknown],
    [404, 'no delivery', 'POST', '/webhooks/{id}/deliveries/dlv_0/replay'],
    [400, 'a private address', 'POST', '/webhooks', { url: 'https://10.0.0.1/' }],
  ])(
    'with %i for %s is charged, because the database or DNS was queried',
    async (status, _what, ...sent) => {
      const { subscriber, fill } = await prepare();
      const [method, path, body] = sent;

      const answer = await subscriber.send(method, fill(path), body);

      expect([answer.status, await usedBy(subscriber)]).toEqual([status, [3, 3]]);
    },
  );

  it.each<[status: number, what: string, method: string, path: string, body?: string]>([
    [400, 'no JSON', 'POST', '/webhooks', '{'],
    [400, 'no JSON on a route without a body', 'POST', '/webhooks/{id}/test', '{'],
    [413, 'a body too large', 'POST', '/webhooks', ' '.repeat(65_537)],
    [400, 'no body', 'POST', '/webhooks'],
    [400, 'a wrong url', 'POST', '/webhooks', '{"url":1}'],
    [400, 'nothing to change', 'PATCH', '/webhooks/{id}', '{}'],
    [400, 'wrong hours', 'POST', '/webhooks/{id}/rotate-secret', '{"overlapHours":-1}'],
    [400, 'a wrong body for an unknown subscription', 'PATCH', unknown, '{}'],
  ])(
    'refused with %i because of its body, %s, counts against the rate limit only (rule K10)',
    async (status, _what, method, path, body) => {
      const { subscriber, fill } = await prepare();

      const sent = { method, path: fill(path), ...(body === undefined ? {} : { body }) };
      const answer = await subscriber.sendRequest(sent);

      expect([answer.status, await usedBy(subscriber)]).toEqual([status, [3, 2]]);
    },
  );

  it.each<[status: number, what: string, method: string, path: string, body?: string]>([
    [400, 'a wrong limit', 'GET', '/webhooks/{id}/deliveries?limit=0'],
    [400, 'an unknown parameter', 'POST', '/webhooks?x=1', '{'],
    [405, 'a wrong method', 'PUT', '/webhooks', '{'],
    [404, 'no route', 'POST', '/webhooks/{id}/nowhere', '{'],
  ])('refused with %i for %s costs nothing', async (status, _what, method, path, body) => {
    const { subscriber, fill } = await prepare();

    const sent = { method, path: fill(path), ...(body === undefined ? {} : { body }) };
    const answer = await subscriber.sendRequest(sent);

    expect([answer.status, await usedBy(subscriber)]).toEqual([status, [2, 2]]);
  });
});

describe('the order of checks of a management call (contract C3)', () => {
  it.each(routes)('an unknown key gets 401 first: %i %s %s', async (_status, ...route) => {
    const [method, path] = route;
    const { fill } = await prepare();

    const answer = await service().sendRequest({ method, path: fill(path), body: '{' });

    const text = method === 'HEAD' ? '' : '{"error":"INVALID_KEY"}';
    expect(formOf(answer)).toEqual({ ...errorForm(401, 'INVALID_KEY'), text });
  });

  it.each([
    ['RATE_LIMITED', { rateLimit: 2, quota: 'none' }],
    ['QUOTA_EXCEEDED', { rateLimit: 'none', quota: 2 }],
  ] as const)('a key at its limit gets %s, and nothing is changed', async (error, limits) => {
    const { subscriber, fill } = await prepare(limits);
    const before = await stored();

    const refused = [];
    for (const [, method, path, body] of routes.filter(([, one]) => one !== 'HEAD')) {
      refused.push(await subscriber.send(method, fill(path), body));
    }

    expect(refused.map(formOf)).toEqual(Array(9).fill(errorForm(429, error)));
    expect(Object.keys(limitHeadersOf(refused[1] ?? failure()))).toContain('retry-after');
    expect(await stored()).toEqual(before);
  });

  it.each([
    [429, 'rate limit', { rateLimit: 2 }],
    [400, 'quota', { quota: 2 }],
  ])('a key at its limit gets %i for a wrong body: %s', async (status, _limit, limits) => {
    const { subscriber } = await prepare(limits);

    const answer = await subscriber.send('POST', '/webhooks', { url: 1 });

    expect(answer.status).toBe(status);
  });
});

/** A caller with a subscription that has a delivery: two requests were charged. */
async function prepare(limits: Parameters<typeof addSubscriber>[1] = {}): Promise<{
  readonly subscriber: Subscriber;
  readonly fill: (path: string) => string;
}> {
  const subscriber = await addSubscriber(service(), limits);
  const { id } = await subscriber.subscribe('receiver');
  const { id: deliveryId } = await subscriber.done<{ id: string }>('POST', `/webhooks/${id}/test`);
  return {
    subscriber,
    fill: (path) => path.replace('{id}', id).replace('{deliveryId}', deliveryId),
  };
}

async function stored(): Promise<unknown> {
  const { db } = service().core;
  return {
    subscriptions: await db.selectFrom('webhook_subscriptions').selectAll().execute(),
    secrets: await db.selectFrom('webhook_secrets').selectAll().execute(),
    deliveries: await db.selectFrom('webhook_deliveries').selectAll().execute(),
  };
}

function failure(): never {
  throw new Error('no answer');
}
