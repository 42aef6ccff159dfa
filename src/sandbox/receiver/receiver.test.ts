import { describe, expect, it } from 'vitest';

import { type ReceiverAnswer } from './script.ts';
import type { Sandbox } from '../sandbox.ts';
import {
  type Delivery,
  forged,
  noonSeconds,
  openAnswering,
  openAtNoon,
  otherSecret,
  secret,
  send,
  signed,
} from '../../../test/support/sandbox/delivery.ts';

async function put(sandbox: Sandbox, name: string, script: unknown): Promise<Response> {
  return fetch(sandbox.receiverUrl(name), { method: 'PUT', body: JSON.stringify(script) });
}

async function show(sandbox: Sandbox, name: string): Promise<unknown> {
  return (await fetch(sandbox.receiverUrl(name))).json();
}

function withHeader(name: string, value: string): Delivery {
  const { headers, body } = signed();
  return { headers: { ...headers, [name]: value }, body };
}

const good = signed().headers['webhook-signature'] ?? '';

describe('the verification of deliveries (Standard Webhooks, Verifying webhooks)', () => {
  const unsigned = 'no signature is by a known secret';
  const fraction = 'webhook-timestamp is not in whole seconds';

  it.each<[string, Delivery, string | undefined]>([
    ['its secret', signed(), undefined],
    ['an empty body', signed({ body: '' }), undefined],
    ['spaces in the body', signed({ body: '{ "a" : 1.0,\r\n"b":"\\u00e9é" }\n' }), undefined],
    ['one of two signatures', signed({ secrets: [otherSecret, secret] }), undefined],
    ['another version beside', withHeader('webhook-signature', `v1a,x ${good}`), undefined],
    ['five minutes ago', signed({ seconds: noonSeconds - 300 }), undefined],
    ['another secret', forged, unsigned],
    ['another body', { ...signed(), body: Buffer.from('{"count":2}') }, unsigned],
    ['another id', withHeader('webhook-id', 'evt_2'), unsigned],
    ['another moment', withHeader('webhook-timestamp', String(noonSeconds + 1)), unsigned],
    ['another version', withHeader('webhook-signature', good.replace('v1', 'v2')), unsigned],
    ['a shorter signature', withHeader('webhook-signature', good.slice(0, -1)), unsigned],
    ['an empty id', withHeader('webhook-id', ''), 'missing: webhook-id'],
    [
      'more than five minutes ago',
      signed({ seconds: noonSeconds - 301 }),
      'webhook-timestamp is 301 s old, at most 300 are accepted',
    ],
    ['milliseconds', signed({ seconds: noonSeconds * 1_000 }), fraction],
    ['a leading zero', withHeader('webhook-timestamp', `0${noonSeconds}`), fraction],
    ['bytes that are no text', signed({ body: Buffer.from([0xff]) }), 'the body is not UTF-8'],
  ])('judges a delivery with %s', async (_, delivery, why) => {
    const sandbox = await openAnswering({});

    const { status } = await send(sandbox, 'shop', delivery);

    const verdict = why === undefined ? { verified: true } : { verified: false, why };
    expect(sandbox.receivers.named('shop').received).toMatchObject([verdict]);
    expect(status).toBe(why === undefined ? 204 : 401);
  });
});

describe('/receiver/{name}', () => {
  it('lists the deliveries, oldest first, with neither secrets nor bytes', async () => {
    const sandbox = await openAnswering({ status: 200 });
    await send(sandbox, 'shop');
    await send(sandbox, 'shop', forged);

    const common = {
      receivedAt: '2026-11-20T12:00:00.000Z',
      id: 'evt_1',
      timestamp: `${noonSeconds}`,
      body: { count: 1 },
      answeredStatus: 200,
    };
    const why = 'no signature is by a known secret';
    expect(await show(sandbox, 'shop')).toEqual({
      name: 'shop',
      secrets: 1,
      answer: { status: 200 },
      received: [
        { ...common, verified: true, seenBefore: false },
        { ...common, verified: false, why, seenBefore: true },
      ],
    });
  });

  it('is scripted by PUT, keeps the rest, and is forgotten by DELETE alone', async () => {
    const { sandbox } = await openAtNoon();
    const empty = { name: 'shop', secrets: 0, answer: {}, received: [] };

    await put(sandbox, 'shop', { secrets: [secret], answer: { status: 503, retryAfter: '5' } });
    await put(sandbox, 'shop', { answer: { status: 500 } });
    await fetch(`${sandbox.url}/_scenario`, { method: 'DELETE' });

    expect(await show(sandbox, 'shop')).toMatchObject({ secrets: 1, answer: { status: 500 } });
    expect((await send(sandbox, 'shop')).status).toBe(500);
    const deleted = await fetch(sandbox.receiverUrl('shop'), { method: 'DELETE' });
    expect([await deleted.json(), await show(sandbox, 'shop')]).toEqual([empty, empty]);
  });
});

describe('a scripted answer', () => {
  it.each<[ReceiverAnswer, number, Readonly<Record<string, string | null>>, string]>([
    [{}, 204, { location: null, 'retry-after': null, 'content-type': null }, ''],
    [{ status: 410 }, 410, { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, ''],
    [{ status: 503, retryAfter: '120' }, 503, { 'retry-after': '120' }, ''],
    [{ body: 'Ærø' }, 200, { 'content-type': 'text/plain; charset=utf-8' }, 'Ærø'],
    [{ status: 500, body: 'oops' }, 500, {}, 'oops'],
    [{ redirectTo: 'http://[::1]/' }, 302, { location: 'http://[::1]/' }, ''],
    [{ redirectTo: '/x', status: 308 }, 308, { location: '/x' }, ''],
    [{ delayMs: 1, hang: false, drip: false, reset: false }, 204, {}, ''],
  ])('%j has the status %d', async (answer, status, headers, body) => {
    const response = await send(await openAnswering(answer), 'shop');

    expect([response.status, await response.text()]).toEqual([status, body]);
    const got = Object.keys(headers).map((name) => [name, response.headers.get(name)]);
    expect(Object.fromEntries(got)).toEqual(headers);
  });

  it('heals after its number of answers', async () => {
    const sandbox = await openAnswering({ status: 503, times: 2 });

    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await send(sandbox, 'shop')).status);

    expect(statuses).toEqual([503, 503, 204]);
  });
});
