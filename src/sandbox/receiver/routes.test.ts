import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox.ts';
import {
  forged,
  noonSeconds,
  openAnswering,
  openAtNoon,
  otherSecret,
  secret,
  send,
} from '../../../test/support/sandbox/delivery.ts';

async function put(sandbox: Sandbox, name: string, script: unknown): Promise<Response> {
  const body = typeof script === 'string' ? script : JSON.stringify(script);
  return fetch(sandbox.receiverUrl(name), { method: 'PUT', body });
}

async function show(sandbox: Sandbox, name: string): Promise<unknown> {
  return (await fetch(sandbox.receiverUrl(name))).json();
}

describe('GET /receiver/{name}', () => {
  it('lists the deliveries, oldest first, with neither secrets nor bytes', async () => {
    const sandbox = await openAnswering({ status: 200 });
    await send(sandbox, 'shop');
    await send(sandbox, 'shop', forged);

    const shown = await show(sandbox, 'shop');

    const common = {
      receivedAt: '2026-11-20T12:00:00.000Z',
      id: 'evt_1',
      timestamp: `${noonSeconds}`,
      body: { count: 1 },
      answeredStatus: 200,
    };
    expect(shown).toEqual({
      name: 'shop',
      secrets: 1,
      answer: { status: 200 },
      received: [
        { ...common, verified: true, seenBefore: false },
        {
          ...common,
          verified: false,
          why: 'no signature is by a known secret',
          seenBefore: true,
        },
      ],
    });
  });

  it('shows an empty receiver for an unused name, and does not make it', async () => {
    const { sandbox } = await openAtNoon();

    const shown = await show(sandbox, 'unused');

    expect(shown).toEqual({ name: 'unused', secrets: 0, answer: {}, received: [] });
    expect(sandbox.receivers.find('unused')).toBeUndefined();
  });

  it('ignores a query', async () => {
    const sandbox = await openAnswering({});

    expect(await show(sandbox, 'shop?a=b')).toMatchObject({ name: 'shop', secrets: 1 });
  });

  it('answers HEAD', async () => {
    const { sandbox } = await openAtNoon();

    const response = await fetch(sandbox.receiverUrl('shop'), { method: 'HEAD' });

    expect(response.status).toBe(200);
  });
});

describe('PUT /receiver/{name}', () => {
  it('sets secrets and answer, and answers like GET', async () => {
    const { sandbox } = await openAtNoon();

    const answered = await put(sandbox, 'shop', { secrets: [secret], answer: { status: 503 } });

    expect([answered.status, await answered.json()]).toEqual([200, await show(sandbox, 'shop')]);
    expect(await show(sandbox, 'shop')).toMatchObject({ secrets: 1, answer: { status: 503 } });
    expect((await send(sandbox, 'shop')).status).toBe(503);
  });

  it('replaces the answer as a whole', async () => {
    const sandbox = await openAnswering({ status: 503, retryAfter: '5' });

    await put(sandbox, 'shop', { answer: { delayMs: 1 } });

    expect(await show(sandbox, 'shop')).toHaveProperty('answer', { delayMs: 1 });
  });

  it('keeps absent fields and the deliveries', async () => {
    const sandbox = await openAnswering({ status: 503 });
    await send(sandbox, 'shop');

    await put(sandbox, 'shop', { secrets: [secret, otherSecret] });
    const kept = await show(sandbox, 'shop');
    await put(sandbox, 'shop', { answer: {} });

    const received = [{ answeredStatus: 503 }];
    expect(kept).toMatchObject({ secrets: 2, answer: { status: 503 }, received });
    expect(await show(sandbox, 'shop')).toMatchObject({ secrets: 2, received });
    expect(await show(sandbox, 'shop')).toHaveProperty('answer', {});
  });

  it.each([
    ['{', 'the body is not JSON, expected an object like {"answer": {"status": 503, "times": 2}}'],
    [
      '{"secrets": ["x"], "answer": {"times": 0}}',
      'secrets[0]: got "x", expected whsec_ and 24 to 64 bytes in base64; answer.times: got 0, expected a whole number from 1 to 1000000, or null for ever',
    ],
  ])('refuses %s, names every problem, and changes nothing', async (body, error) => {
    const { sandbox } = await openAtNoon();

    const response = await put(sandbox, 'shop', body);

    expect([response.status, await response.json()]).toEqual([400, { error }]);
    expect(sandbox.receivers.find('shop')).toBeUndefined();
  });

  it('works as the start page shows it', async () => {
    const { sandbox } = await openAtNoon();
    const page = await (await fetch(`${sandbox.url}/`)).text();
    const [, url, body] = /curl -X PUT (\S+) --data '(.*)'/.exec(page) ?? [];

    const response = await fetch(url ?? '', { method: 'PUT', body: body ?? '' });

    expect([url, response.status]).toEqual([sandbox.receiverUrl('shop'), 200]);
  });
});

describe('DELETE /receiver/{name}', () => {
  it('forgets secrets, answer and deliveries of one receiver', async () => {
    const sandbox = await openAnswering({ status: 503 });
    sandbox.receivers.named('bank').apply({ answer: { status: 500 } });
    await send(sandbox, 'shop');

    const response = await fetch(sandbox.receiverUrl('shop'), { method: 'DELETE' });

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ name: 'shop', secrets: 0, answer: {}, received: [] });
    expect((await send(sandbox, 'shop', forged)).status).toBe(204);
    expect((await send(sandbox, 'bank')).status).toBe(500);
  });
});

describe('/receiver/{name}', () => {
  it('is not changed by a reset of the scenario', async () => {
    const sandbox = await openAnswering({ status: 503 });

    await fetch(`${sandbox.url}/_scenario`, { method: 'DELETE' });

    expect((await send(sandbox, 'shop')).status).toBe(503);
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'])('rejects an invalid name: %s', async (method) => {
    const { sandbox } = await openAtNoon();

    const response = await fetch(sandbox.receiverUrl('a/b'), { method });

    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: 'got a/b, expected a name of 1 to 64 letters, digits, dots, hyphens and underscores',
      },
    ]);
  });

  it('answers 405 to other methods', async () => {
    const { sandbox } = await openAtNoon();

    const response = await fetch(sandbox.receiverUrl('shop'), { method: 'PATCH' });

    expect([response.status, await response.json()]).toEqual([
      405,
      { error: 'got PATCH, expected GET, POST, PUT or DELETE' },
    ]);
  });

  it('has 1,000 receivers, and answers 503 to the name of a further one', async () => {
    const { sandbox } = await openAtNoon();
    for (let at = 0; at < 1_000; at += 1) sandbox.receivers.named(`r${at}`);

    const responses = [
      await send(sandbox, 'more'),
      await put(sandbox, 'more', {}),
      await send(sandbox, 'r0'),
    ];

    expect(responses.map(({ status }) => status)).toEqual([503, 503, 204]);
    expect(await responses[0]?.json()).toEqual({
      error: 'there are 1000 receivers already; DELETE those not needed',
    });
  });
});
