import { describe, expect, it } from 'vitest';

import { Receiver } from './receiver.ts';
import { Receivers } from './receivers.ts';
import {
  type Delivery,
  noonSeconds,
  otherSecret,
  secret,
  signed,
} from '../../../test/support/sandbox/delivery.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';

function openReceiver(secrets: readonly string[] = [secret]): Receiver {
  const receiver = new Receiver('shop', new SettableClock('2026-11-20T12:00:00.999Z'));
  receiver.apply({ secrets });
  return receiver;
}

/** The verdict of a receiver on a delivery. */
function judge({ headers, body }: Delivery, receiver = openReceiver()): object | undefined {
  receiver.receive(headers, body);
  const { verified, why } = receiver.received.at(-1) ?? {};
  return why === undefined ? { verified } : { verified, why };
}

function withHeader(name: string, value: string | undefined): Delivery {
  const { headers, body } = signed();
  const others = Object.entries(headers).filter(([other]) => other !== name);
  return {
    headers: { ...Object.fromEntries(others), ...(value === undefined ? {} : { [name]: value }) },
    body,
  };
}

const good = signed().headers['webhook-signature'] ?? '';
const verified = { verified: true };

describe('the verification of deliveries (Standard Webhooks, Verifying webhooks)', () => {
  it.each([
    ['by its secret', signed()],
    ['by an empty body', signed({ body: '' })],
    ['by text of any script', signed({ body: 'Ærø € 東京 😀\0' })],
    ['by a body with a byte order mark', signed({ body: '\uFEFF{}' })],
    ['by one of two signatures', signed({ secrets: [otherSecret, secret] })],
    ['beside a signature of another version', withHeader('webhook-signature', `v1a,x ${good}`)],
    ['of five minutes ago', signed({ seconds: noonSeconds - 300 })],
    ['of in five minutes', signed({ seconds: noonSeconds + 300 })],
  ])('accepts a delivery signed %s', (_, delivery) => {
    expect(judge(delivery)).toEqual(verified);
  });

  it.each([
    ['the first', [secret, otherSecret]],
    ['the second', [otherSecret, secret]],
  ])('accepts a delivery signed by %s of two secrets', (_, secrets) => {
    expect(judge(signed(), openReceiver(secrets))).toEqual(verified);
  });

  const unsigned = 'no signature is by a known secret';
  it.each([
    ['another secret', signed({ secrets: [otherSecret] }), unsigned],
    ['another body', { ...signed(), body: Buffer.from('{"count":2}') }, unsigned],
    ['another id', withHeader('webhook-id', 'evt_2'), unsigned],
    ['another moment', withHeader('webhook-timestamp', String(noonSeconds + 1)), unsigned],
    ['another version', withHeader('webhook-signature', good.replace('v1', 'v2')), unsigned],
    ['a longer signature', withHeader('webhook-signature', `${good}=`), unsigned],
    ['a shorter signature', withHeader('webhook-signature', good.slice(0, -1)), unsigned],
    ['no id', withHeader('webhook-id', undefined), 'missing: webhook-id'],
    ['an empty id', withHeader('webhook-id', ''), 'missing: webhook-id'],
    ['no moment', withHeader('webhook-timestamp', undefined), 'missing: webhook-timestamp'],
    ['no signature', withHeader('webhook-signature', undefined), 'missing: webhook-signature'],
    [
      'none of the headers',
      { ...signed(), headers: {} },
      'missing: webhook-id, webhook-timestamp, webhook-signature',
    ],
    [
      'a timestamp of more than five minutes ago',
      signed({ seconds: noonSeconds - 301 }),
      'webhook-timestamp is 301 s old, at most 300 are accepted',
    ],
    [
      'a timestamp in more than five minutes',
      signed({ seconds: noonSeconds + 301 }),
      'webhook-timestamp is 301 s in the future, at most 300 are accepted',
    ],
    [
      'a timestamp in milliseconds',
      signed({ seconds: noonSeconds * 1_000 }),
      'webhook-timestamp is not in whole seconds',
    ],
    [
      'a fraction of a second',
      signed({ seconds: noonSeconds + 0.5 }),
      'webhook-timestamp is not in whole seconds',
    ],
    [
      'text before the timestamp',
      withHeader('webhook-timestamp', `+${noonSeconds}`),
      'webhook-timestamp is not in whole seconds',
    ],
    [
      'a leading zero',
      withHeader('webhook-timestamp', `0${noonSeconds}`),
      'webhook-timestamp is not in whole seconds',
    ],
    ['bytes that are no text', signed({ body: Buffer.from([0xff]) }), 'the body is not UTF-8'],
    [
      'bytes that decode to the signed text',
      { ...signed({ body: '\uFFFD' }), body: Buffer.from([0xff]) },
      'the body is not UTF-8',
    ],
  ])('refuses a delivery with %s and says why', (_, delivery, why) => {
    expect(judge(delivery)).toEqual({ verified: false, why });
  });

  it('is null without a secret', () => {
    const receiver = openReceiver();
    receiver.apply({ secrets: [] });

    expect(judge(signed({ secrets: [otherSecret] }), receiver)).toEqual({ verified: null });
  });

  it('keeps its secrets when only the answer is scripted', () => {
    const receiver = openReceiver();
    receiver.apply({ answer: { status: 500 } });

    expect(judge(signed(), receiver)).toEqual(verified);
    expect(judge(signed({ secrets: [otherSecret] }), receiver)).toMatchObject({ verified: false });
  });

  it.each(['', 'whsec_', 'whsec_%'])('rejects the secret %j', (text) => {
    expect(() => openReceiver([text])).toThrow(/empty|decod|incorrect/i);
  });
});

describe('the deliveries that a receiver keeps', () => {
  it('are shown oldest first, in the sandbox’s time', () => {
    const receiver = openReceiver([]);
    const [first, second] = [signed(), { headers: {}, body: Buffer.from('not JSON') }];

    receiver.receive(first.headers, first.body);
    receiver.receive(second.headers, second.body);

    const receivedAt = '2026-11-20T12:00:00.999Z';
    const common = { receivedAt, verified: null, seenBefore: false, answeredStatus: 204 };
    expect(receiver.received).toEqual([
      {
        ...common,
        id: 'evt_1',
        timestamp: `${noonSeconds}`,
        body: { count: 1 },
        bytes: first.body,
      },
      { ...common, id: null, timestamp: null, body: 'not JSON', bytes: second.body },
    ]);
  });

  it('show whether this receiver had their id before', () => {
    const receivers = new Receivers(new SettableClock('2026-11-20T12:00:00Z'));
    const [shop, bank] = [receivers.named('shop'), receivers.named('bank')];
    for (const id of ['evt_1', 'evt_2', 'evt_1']) shop.receive(signed({ id }).headers, Buffer.of());

    bank.receive(signed().headers, Buffer.of());

    expect(shop.received.map(({ seenBefore }) => seenBefore)).toEqual([false, false, true]);
    expect(bank.received.map(({ seenBefore }) => seenBefore)).toEqual([false]);
  });

  it('are never seen before if they have no id', () => {
    const receiver = openReceiver();
    receiver.receive({}, Buffer.of());
    receiver.receive({}, Buffer.of());

    expect(receiver.received.map(({ seenBefore }) => seenBefore)).toEqual([false, false]);
  });

  it('are the newest 1,000, while older ids are still known', () => {
    const receiver = openReceiver([]);
    for (let at = 0; at <= 1_000; at += 1) receiver.receive({ 'webhook-id': `${at}` }, Buffer.of());

    const before = receiver.received.map(({ id }) => id);
    receiver.receive({ 'webhook-id': '0' }, Buffer.of());

    expect(before).toHaveLength(1_000);
    expect([before.at(0), before.at(-1)]).toEqual(['1', '1000']);
    expect(receiver.received.at(-1)).toMatchObject({ id: '0', seenBefore: true });
  });

  it('lose the oldest of more than 100,000 ids', () => {
    const receiver = openReceiver([]);
    for (let at = 0; at <= 100_000; at += 1) {
      receiver.receive({ 'webhook-id': `${at}` }, Buffer.of());
    }

    receiver.receive({ 'webhook-id': '1' }, Buffer.of());
    receiver.receive({ 'webhook-id': '0' }, Buffer.of());

    expect(receiver.received.slice(-2).map(({ seenBefore }) => seenBefore)).toEqual([true, false]);
  });
});

describe('Receivers', () => {
  it('makes a receiver when its name is first used', () => {
    const receivers = new Receivers(new SettableClock('2026-11-20T12:00:00Z'));

    const unknown = receivers.find('shop');
    const shop = receivers.named('shop');

    expect(unknown).toBeUndefined();
    expect(receivers.named('shop')).toBe(shop);
    expect(receivers.find('shop')).toBe(shop);
  });

  it.each(['', 'a/b', 'a b', 'ä', '%41', 'a\n', 'x'.repeat(65)])('refuses the name %j', (name) => {
    const receivers = new Receivers(new SettableClock('2026-11-20T12:00:00Z'));

    expect(() => receivers.named(name)).toThrow('expected 1 to 64 letters, digits');
  });

  it.each(['A-z_0.9', 'x'.repeat(64), '__proto__'])('accepts the name %s', (name) => {
    const receivers = new Receivers(new SettableClock('2026-11-20T12:00:00Z'));

    expect(receivers.named(name).name).toBe(name);
  });

  it('makes at most 1,000 until one is deleted', () => {
    const receivers = new Receivers(new SettableClock('2026-11-20T12:00:00Z'));
    for (let at = 0; at < 1_000; at += 1) receivers.named(`r${at}`);

    expect(() => receivers.named('more')).toThrow('there are 1000 receivers already');
    expect(receivers.named('r0').name).toBe('r0');
    receivers.forget('r0');
    expect(receivers.named('more').name).toBe('more');
  });
});
