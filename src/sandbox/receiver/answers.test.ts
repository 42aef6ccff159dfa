import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { ReceiverAnswer } from './script.ts';
import type { Sandbox } from '../sandbox.ts';
import {
  forged,
  noonSeconds,
  openAnswering,
  openAtNoon,
  secret,
  send,
  signed,
} from '../../../test/support/sandbox/delivery.ts';
import { setToday } from '../../../test/support/sandbox/scripts.ts';

async function show(sandbox: Sandbox, name: string): Promise<unknown> {
  return (await fetch(sandbox.receiverUrl(name))).json();
}

describe('POST /receiver/{name} (operator.md, Sandbox)', () => {
  it('answers 204 to a good signature and 401 to a bad one', async () => {
    const sandbox = await openAnswering({});

    const statuses = [await send(sandbox, 'shop'), await send(sandbox, 'shop', forged)];

    expect(statuses.map(({ status }) => status)).toEqual([204, 401]);
  });

  it('answers 204 to every delivery without a secret', async () => {
    const { sandbox } = await openAtNoon();

    const response = await send(sandbox, 'shop', { headers: {}, body: Buffer.of() });

    expect(response.status).toBe(204);
    expect(sandbox.receivers.named('shop').received).toMatchObject([{ verified: null, body: '' }]);
  });

  it('verifies the bytes of the body, not its text', async () => {
    const sandbox = await openAnswering({});
    const spaced = Buffer.from('{ "a" : 1.0,\r\n"b":"\\u00e9é" }\n');

    await send(sandbox, 'shop', signed({ body: spaced }));

    expect(sandbox.receivers.named('shop').received).toMatchObject([
      { verified: true, body: { a: 1, b: 'éé' }, bytes: spaced },
    ]);
  });

  it('compares timestamps with the sandbox’s time', async () => {
    const { sandbox } = await openAtNoon();
    sandbox.receivers.named('shop').apply({ secrets: [secret] });
    setToday(sandbox.scenario, '2026-11-21');

    await send(sandbox, 'shop', signed({ seconds: noonSeconds }));
    await send(sandbox, 'shop', signed({ seconds: noonSeconds + 86_400 }));

    const { received } = sandbox.receivers.named('shop');
    expect(received.map(({ verified }) => verified)).toEqual([false, true]);
    expect(received[0]?.receivedAt).toBe('2026-11-21T12:00:00.000Z');
  });

  it.each<[string, ReceiverAnswer, number, Readonly<Record<string, string | null>>, string]>([
    ['a status', { status: 410 }, 410, {}, ''],
    ['a Retry-After', { status: 503, retryAfter: '120' }, 503, { 'retry-after': '120' }, ''],
    ['a Retry-After with the usual status', { retryAfter: '5' }, 204, { 'retry-after': '5' }, ''],
    ['a body', { body: 'Ærø' }, 200, { 'content-type': 'text/plain; charset=utf-8' }, 'Ærø'],
    ['a body that is empty', { body: '' }, 200, {}, ''],
    ['a body and a status', { status: 500, body: 'oops' }, 500, {}, 'oops'],
    ['a body that its status does not have', { status: 204, body: 'oops' }, 204, {}, ''],
    ['a redirect', { redirectTo: 'http://[::1]/' }, 302, { location: 'http://[::1]/' }, ''],
    ['a redirect by 308', { redirectTo: '/x', status: 308 }, 308, { location: '/x' }, ''],
    ['the sandbox’s time', {}, 204, { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, ''],
    ['nothing else', {}, 204, { location: null, 'retry-after': null, 'content-type': null }, ''],
    ['no fault that is off', { hang: false, drip: false, reset: false }, 204, {}, ''],
    ['no drip that is off', { body: '', drip: false }, 200, {}, ''],
  ])('answers %s as scripted', async (_, answer, status, headers, body) => {
    const sandbox = await openAnswering(answer);

    const response = await send(sandbox, 'shop');

    expect([response.status, await response.text()]).toEqual([status, body]);
    const got = Object.keys(headers).map((name) => [name, response.headers.get(name)]);
    expect(Object.fromEntries(got)).toEqual(headers);
    expect(sandbox.receivers.named('shop').received).toMatchObject([{ answeredStatus: status }]);
  });

  it.each<[string, ReceiverAnswer, number]>([
    ['its status', { status: 200 }, 200],
    ['its redirect', { redirectTo: '/' }, 302],
    ['its body under 401', { body: 'no' }, 401],
  ])('answers a bad signature with a scripted %s', async (_, answer, status) => {
    const sandbox = await openAnswering(answer);

    expect((await send(sandbox, 'shop', forged)).status).toBe(status);
  });

  it('heals after the scripted number of answers', async () => {
    const sandbox = await openAnswering({ status: 503, times: 2 });

    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1) statuses.push((await send(sandbox, 'shop')).status);

    expect(statuses).toEqual([503, 503, 204, 204]);
  });

  it('shows how many answers are left before it heals', async () => {
    const sandbox = await openAnswering({ status: 503, times: 2 });

    await send(sandbox, 'shop');
    const once = await show(sandbox, 'shop');
    await send(sandbox, 'shop');

    expect(once).toMatchObject({ answer: { status: 503, times: 1 } });
    expect(await show(sandbox, 'shop')).toHaveProperty('answer', {});
  });

  it('does not heal if times is null', async () => {
    const sandbox = await openAnswering({ status: 503, times: null });

    await send(sandbox, 'shop');

    expect((await send(sandbox, 'shop')).status).toBe(503);
  });

  it('hangs until the peer hangs up', async () => {
    const sandbox = await openAnswering({ hang: true });
    const left = new AbortController();
    const answered = send(sandbox, 'shop', signed(), left.signal);
    const { received } = sandbox.receivers.named('shop');
    await expect.poll(() => received.length).toBe(1);

    left.abort();

    await expect(answered).rejects.toThrow('aborted');
    expect(received).toMatchObject([{ answeredStatus: null, verified: true }]);
  });

  it('resets the connection instead of an answer', async () => {
    const sandbox = await openAnswering({ reset: true, status: 200, body: 'never' });

    await expect(send(sandbox, 'shop')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(sandbox.receivers.named('shop').received).toMatchObject([{ answeredStatus: null }]);
  });

  it.each<[string, ReceiverAnswer, string]>([
    ['the scripted body', { drip: true, body: 'ab' }, 'aba'],
    ['a body of its own', { drip: true }, 'and'],
    ['a body of its own instead of none', { drip: true, body: '' }, 'and'],
  ])('drips %s byte by byte', async (_, answer, start) => {
    const sandbox = await openAnswering(answer);
    const response = await sendRaw(sandbox);

    const bytes: Buffer[] = [];
    for (let at = 0; at < 3; at += 1) bytes.push(((await once(response, 'data')) as [Buffer])[0]);

    expect(response.statusCode).toBe(200);
    expect(bytes.map((byte) => byte.length)).toEqual([1, 1, 1]);
    expect(Buffer.concat(bytes).toString()).toBe(start);
  });

  it('waits before it answers, or until the peer hangs up', async () => {
    const sandbox = await openAnswering({ delayMs: 600_000, times: 1 });
    const left = new AbortController();
    const answered = send(sandbox, 'shop', signed(), left.signal);
    await expect.poll(() => sandbox.receivers.named('shop').received.length).toBe(1);

    const healed = await send(sandbox, 'shop');
    left.abort();

    expect(healed.status).toBe(204);
    await expect(answered).rejects.toThrow('aborted');
    expect(sandbox.receivers.named('shop').received).toMatchObject([
      { answeredStatus: 204, seenBefore: false },
      { answeredStatus: 204, seenBefore: true },
    ]);
  });

  it('answers when the delay is over', async () => {
    const sandbox = await openAnswering({ delayMs: 1, status: 202 });

    expect((await send(sandbox, 'shop')).status).toBe(202);
  });

  it('answers 413 to more than a megabyte, and does not keep the delivery', async () => {
    const { sandbox } = await openAtNoon();
    const megabyte = 1024 * 1024;

    const fits = await send(sandbox, 'shop', signed({ body: Buffer.alloc(megabyte, 'x') }));
    const larger = await send(sandbox, 'shop', signed({ body: Buffer.alloc(megabyte + 1, 'x') }));

    expect([fits.status, larger.status]).toEqual([204, 413]);
    expect(sandbox.receivers.named('shop').received).toHaveLength(1);
  });
});

/** A delivery whose answer is read as its bytes arrive: fetch would put them together. */
async function sendRaw(sandbox: Sandbox): Promise<IncomingMessage> {
  const { headers, body } = signed();
  const sent = request(sandbox.receiverUrl('shop'), { method: 'POST', headers, agent: false });
  onTestFinished(() => void sent.destroy());
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response;
}
