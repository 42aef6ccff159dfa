import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  checkWebhookSecret,
  InvalidArgumentError,
  type RatesChangedEvent,
  verifyWebhook,
  type WebhookHeaders,
} from '../../client/src/index.ts';
import { signWebhook, testSecret } from '../../client/src/testing.ts';
import vectors from '../../client/vectors/webhook-signatures.json' with { type: 'json' };
import { clientOf, errorOf } from './support/client-of.ts';
import { startWithReceiver } from './support/own-receiver.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body =
  '{"type":"webhook.test","timestamp":"2026-11-20T16:00:00.000Z","changes":[],"count":0}';
const timestampSeconds = 1_795_334_400;
const now = timestampSeconds * 1_000;

/** `w=` → `x=`: the same bytes, because the last digit of a signature has two unused bits. */
function nextDigit([digit = '']: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${digits[digits.indexOf(digit) + 1]}=`;
}

async function sign(secret: string | readonly string[] = testSecret) {
  return signWebhook(body, secret, { timestampSeconds });
}

const verify = async (headers: WebhookHeaders) => verifyWebhook(body, headers, testSecret, { now });

describe('verifyWebhook', () => {
  it('returns the event of a delivery of the service, with its id and exact rates', async () => {
    const { service, url, came } = await startWithReceiver({
      script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25.5'], '2026-11-20'),
      lived: ['2026-11-19T16:00:00Z'],
    });
    const client = clientOf(service);
    const { secret } = await client.webhooks.create({ url });

    await service.liveAt('2026-11-20T16:00:00Z');
    await expect.poll(() => came.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = came;
    const event = await verifyWebhook(body, headers, secret, { now: service.core.clock.now() });

    expect(event).toMatchObject({
      id: headers['webhook-id'],
      type: 'rates.changed',
      snapshotDate: '2026-11-20',
      changes: [{ country: 'HU', field: 'standard', old: '27', new: '25.5' }],
      count: 1,
    });
    const { changes } = event as RatesChangedEvent;
    expect(changes).toEqual((await client.changesOn('2026-11-20')).changes);
    expect(
      await errorOf(verifyWebhook(body, headers, otherSecret, { now: service.core.clock.now() })),
    ).toMatchObject({ name: 'SignatureError', problem: 'noMatch' });
  });

  it('accepts the old and the new secret during a rotation, and a list of secrets', async () => {
    const { service, url, came } = await startWithReceiver();
    const { webhooks } = clientOf(service);
    const { id, secret } = await webhooks.create({ url });
    const rotated = await webhooks.rotateSecret(id);

    await webhooks.test(id);
    await expect.poll(() => came.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: Buffer.of() }] = came;
    const options = { now: service.core.clock.now() };

    for (const known of [secret, rotated.secret, [otherSecret, secret]]) {
      expect(await verifyWebhook(body, headers, known, options)).toMatchObject({
        type: 'webhook.test',
        snapshotDate: null,
        count: 0,
      });
    }
  });

  it('accepts headers in the forms of several frameworks, and the body as text or bytes', async () => {
    const headers = await sign();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(body);

    for (const given of [headers, new Headers(headers), upper] satisfies WebhookHeaders[]) {
      for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
        expect(await verifyWebhook(raw, given, testSecret, { now })).toMatchObject({
          id: 'evt_test',
          type: 'webhook.test',
        });
      }
    }
  });

  it.each<[string, WebhookHeaders, string]>([
    ['no id', { 'webhook-id': undefined }, 'missingHeader'],
    ['an empty id', { 'webhook-id': '' }, 'missingHeader'],
    ['two ids', { 'webhook-id': ['evt_test', 'evt_test'] }, 'missingHeader'],
    ['no moment', { 'webhook-timestamp': undefined }, 'missingHeader'],
    ['no signature', { 'webhook-signature': undefined }, 'missingHeader'],
    ['another id', { 'webhook-id': 'evt_other' }, 'noMatch'],
    ['another moment', { 'webhook-timestamp': `${timestampSeconds + 1}` }, 'noMatch'],
    ['a fraction', { 'webhook-timestamp': `${timestampSeconds}.5` }, 'malformedTimestamp'],
    ['a date', { 'webhook-timestamp': '2026-11-20' }, 'malformedTimestamp'],
    ['a leading zero', { 'webhook-timestamp': `0${timestampSeconds}` }, 'malformedTimestamp'],
    ['another version', { 'webhook-signature': 'v1a,AAAA' }, 'noMatch'],
    ['a signature that is not base64', { 'webhook-signature': 'v1,*** v1, v1' }, 'noMatch'],
    ['an empty signature', { 'webhook-signature': 'v1,' }, 'noMatch'],
  ])('refuses %s', async (_what, changed, problem) => {
    const headers = { ...(await sign()), ...changed };

    expect(await errorOf(verify(headers))).toMatchObject({ name: 'SignatureError', problem });
  });

  it.each([
    ['of another secret', async () => (await sign(otherSecret))['webhook-signature']],
    ['of another version', (text: string) => text.replace('v1,', 'v2,')],
    ['of no version', (text: string) => text.replace('v1,', '')],
    ['without padding', (text: string) => text.replace('=', '')],
    // The last digit has two unused bits.
    ['with another spelling of the same bytes', (text: string) => text.replace(/.=$/, nextDigit)],
  ])('refuses a correct signature %s', async (_what, change) => {
    const headers = await sign();
    const signature = await change(headers['webhook-signature']);

    expect(signature).not.toBe(headers['webhook-signature']);
    expect(await errorOf(verify({ ...headers, 'webhook-signature': signature }))).toMatchObject({
      problem: 'noMatch',
    });
  });

  it('finds the matching signature among others, also of other versions', async () => {
    const headers = await sign([otherSecret, testSecret]);
    const among = `v2,AAAA ${headers['webhook-signature']} v1a,BBBB`;

    expect(await verify({ ...headers, 'webhook-signature': among })).toMatchObject({
      id: 'evt_test',
    });
  });

  it.each([
    [-301, {}, 'inTheFuture'],
    [-300, {}, undefined],
    [300, {}, undefined],
    [301, {}, 'tooOld'],
    [11, { toleranceSeconds: 10 }, 'tooOld'],
    [-11, { toleranceSeconds: 10 }, 'inTheFuture'],
    [3_000, { toleranceSeconds: 3_600 }, undefined],
    [0, { toleranceSeconds: Number.NaN }, 'inTheFuture'],
  ])(
    'reports a webhook %i s after its timestamp, with %o, as %s',
    async (seconds, options, problem) => {
      const late = { ...options, now: now + seconds * 1_000 };
      const call = verifyWebhook(body, await sign(), testSecret, late);

      const outcome = await (problem === undefined ? call : errorOf(call));
      expect(outcome).toMatchObject(problem === undefined ? { id: 'evt_test' } : { problem });
    },
  );

  const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
  it.each<readonly [string, unknown]>([
    ...vectors.unusableSecrets.map(({ name, secret }) => [name, secret] as const),
    ['65 bytes', `whsec_${base64(65)}`],
    ['a variable that is not set', undefined],
    ['null', null],
    ['no secrets', []],
    ['a good secret and an empty one', [testSecret, '']],
    ['a secret and a line end', `${testSecret}\n`],
  ])(
    'throws an InvalidArgumentError for the unusable secret “%s”, without printing it, as checkWebhookSecret does',
    async (_what, unusable) => {
      const secret = unusable as string;
      const errors = [
        await errorOf(verifyWebhook(body, await sign(), secret, { now })),
        await errorOf(Promise.try(() => checkWebhookSecret(secret))),
      ];

      for (const error of errors) {
        expect(error).toBeInstanceOf(InvalidArgumentError);
        expect((error as Error).message).toBe(
          "invalid 'secret' — expected whsec_ and 24 to 64 bytes in base64",
        );
      }
    },
  );

  it.each<[string, unknown]>([
    ['a parsed body', JSON.parse(body)],
    ['the empty object of a body parser', {}],
    ['no body', undefined],
    ['null', null],
    ['a promise of text', Promise.resolve(body)],
    ['a list of bytes', [...new TextEncoder().encode(body)]],
    ['a Buffer that went through JSON', JSON.parse(JSON.stringify(Buffer.from(body)))],
    ['a stream', new Response(body).body],
  ])('throws an InvalidArgumentError for %s, as signWebhook does', async (_what, parsed) => {
    const given = parsed as string;
    const message =
      "invalid 'body' — expected the bytes or the text that were received, not the parsed body";

    expect(await errorOf(verifyWebhook(given, await sign(), testSecret, { now }))).toMatchObject({
      name: 'InvalidArgumentError',
      message,
    });
    expect(await errorOf(signWebhook(given, testSecret))).toMatchObject({ message });
  });

  it('reads bytes of any view, and says what a body has to be if no signature matches', async () => {
    const bytes = new TextEncoder().encode(body);
    const view = new DataView(bytes.buffer) as unknown as Uint8Array;
    const printed = JSON.stringify(JSON.parse(body), undefined, 2);

    expect(await verifyWebhook(view, await sign(), testSecret, { now })).toMatchObject({
      count: 0,
    });
    expect(await errorOf(verifyWebhook(printed, await sign(), testSecret, { now }))).toMatchObject({
      problem: 'noMatch',
      message: expect.stringContaining('as received, not parsed and printed again'),
    });
  });

  const notUtf8 = Uint8Array.of(...new TextEncoder().encode('{"type":"'), 0xff, 0x22, 0x7d);
  it.each(['', 'null', '{}', '[]', '{"type":null}', '{"type":"webhook.test"', notUtf8])(
    'reports the signed body %j as unreadable',
    async (signed) => {
      const headers = await signWebhook(signed, testSecret, { timestampSeconds });

      expect(await errorOf(verifyWebhook(signed, headers, testSecret, { now }))).toMatchObject({
        name: 'SignatureError',
        problem: 'unreadableBody',
      });
    },
  );
});

describe('a signed body', () => {
  const texts = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ type: text }));

  it('is verified by the client and by the library of Standard Webhooks', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const headers = await signWebhook(text, testSecret);

        new Webhook(testSecret).verify(text, headers);
        expect(await verifyWebhook(text, headers, testSecret)).toMatchObject(
          JSON.parse(text) as object,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is refused if one byte differs', async () => {
    const change = fc.record({ text: texts, at: fc.nat(), bits: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(change, async ({ text, at, bits }) => {
        const bytes = new TextEncoder().encode(text);
        const headers = await signWebhook(bytes, testSecret, { timestampSeconds });
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ bits;

        expect(await errorOf(verifyWebhook(bytes, headers, testSecret, { now }))).toMatchObject({
          problem: 'noMatch',
        });
      }),
      { numRuns: 500 },
    );
  });
});
