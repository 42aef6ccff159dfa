import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { countOf, seedOf, reportFigure } from '../../test/support/proof.ts';
import { createSigningSecret, isSigningSecret, prepareSecret, signBody } from './signature.ts';

const payloads = countOf({ full: 10_000, perCommit: 200 });
const changesPerPayload = 10;
const seed = seedOf(20_261_121);

const nowSeconds = Math.floor(Date.now() / 1_000);
const largestBytes = 20_000;

/** The secret of these bytes. */
const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
const ids = fc.stringMatching(/^evt_[0-9a-f]{24}$/);
// The library takes messages of the last five minutes; the test itself takes a part of them.
const timestamps = fc.integer({ min: nowSeconds - 120, max: nowSeconds + 120 });
// Texts that receivers can decode: the library replaces broken bytes by U+FFFD.
const texts = fc
  .oneof(
    fc.constantFrom('', '{}', '\0', '\r\n', '.', '\uFEFF{}'),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.json(),
    // JSON with other blanks: parsing and printing it again makes another text.
    fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
    fc
      .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.nat(2))
      .map(([unit, size]) => unit.repeat(Math.ceil(largestBytes / 10 ** size / unit.length))),
  )
  .map((text) => text.replaceAll('\uFFFD', '?'));

type Message = {
  readonly secret: string;
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
};
type Change = { readonly part: string; readonly place: number; readonly bits: number };

const messages: fc.Arbitrary<Message> = fc.record({
  secret: secrets,
  id: ids,
  timestampSeconds: timestamps,
  body: texts,
});
const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    part: fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
    place: fc.nat(1_000_000),
    bits: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: changesPerPayload, maxLength: changesPerPayload },
);

type Delivery = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

function deliver(message: Message, usedSecrets = [message.secret], sign = signBody): Delivery {
  const { id, timestampSeconds } = message;
  const body = Buffer.from(message.body);
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': sign(usedSecrets.map(prepareSecret), { ...message, body }),
    },
  };
}

function isAccepted(secret: string, { headers, body }: Delivery): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** The delivery with one byte of one part changed. */
function changed(delivery: Delivery, change: Change): Delivery {
  const { part, place, bits } = change;
  if (part === 'body') return { ...delivery, body: changeByte(delivery.body, place, bits) };
  // Header values are Latin-1 when they are read.
  const value = Buffer.from(delivery.headers[part] ?? '', 'latin1');
  const other = changeByte(value, place, bits).toString('latin1');
  return { ...delivery, headers: { ...delivery.headers, [part]: other } };
}

function changeByte(bytes: Buffer, place: number, bits: number): Buffer {
  const copy = Buffer.from(bytes);
  // There is no byte to change in an empty body: it grows by one.
  if (copy.length === 0) return Buffer.from([bits]);
  const at = place % copy.length;
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}

describe('createSigningSecret (Standard Webhooks, Signature scheme)', () => {
  it('writes whsec_ and the bytes in base64', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => at + 224);

    expect(createSigningSecret(bytes)).toBe('whsec_4OHi4+Tl5ufo6err7O3u7/Dx8vP09fb3+Pn6+/z9/v8=');
  });

  it.each([0, 31, 33])('refuses %i bytes', (length) => {
    expect(() => createSigningSecret(new Uint8Array(length))).toThrow('made of 32 bytes');
  });
});

describe('prepareSecret', () => {
  it.each([
    ['nothing', ''],
    ['no prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    ['another prefix', 'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    ['23 bytes', secretOf(Buffer.alloc(23))],
    ['65 bytes', secretOf(Buffer.alloc(65))],
    ['spare bits', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYp='],
    ['no padding', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo'],
    ['the other alphabet', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKY_='],
    ['something before it', ' whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    ['something behind it', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=\n'],
  ])('refuses a text with %s and does not repeat it', (_, text) => {
    expect(() => prepareSecret(text)).toThrow(
      /^not a signing secret: expected whsec_ and 24 to 64 bytes in base64$/,
    );
    expect(isSigningSecret(text)).toBe(false);
  });
});

describe('signBody (contract C28)', () => {
  const secret = createSigningSecret(Uint8Array.from({ length: 32 }, (_, at) => at));
  const message = { id: 'evt_1', timestampSeconds: 1_767_225_600, body: '{"type":"webhook.test"}' };

  // Computed with Python's hmac.
  it('signs id, timestamp and body', () => {
    expect(signBody([prepareSecret(secret)], message)).toBe(
      'v1,slTh92vYUf+x48LhuvPYg1zimC+xnWV5opBlBKHVwD8=',
    );
  });

  it.each([1_767_225_600.5, Number.NaN, Infinity])(
    'refuses %d as a timestamp',
    (timestampSeconds) => {
      expect(() => signBody([prepareSecret(secret)], { ...message, timestampSeconds })).toThrow(
        'whole seconds',
      );
    },
  );
});

describe('a signed delivery (reliability R15)', () => {
  it('verifies with the library of Standard Webhooks from the raw bytes', () => {
    let [verified, bytes] = [0, 0];
    fc.assert(
      fc.property(messages, (message) => {
        const delivery = deliver(message);
        expect(isAccepted(message.secret, delivery)).toBe(true);
        verified += 1;
        bytes += delivery.body.length;
      }),
      { numRuns: payloads, seed },
    );

    const size = `${Math.round(bytes / verified)} bytes on average`;
    reportFigure('R15', `${verified} of ${payloads} random payloads verify, ${size}, seed ${seed}`);
    expect(verified).toBe(payloads);
  });

  it('is refused if one byte of body, id, timestamp or signature is changed', () => {
    let refused = 0;
    fc.assert(
      fc.property(messages, changes, (message, each) => {
        const delivery = deliver(message);
        const accepted = each.filter((one) => isAccepted(message.secret, changed(delivery, one)));

        expect(accepted).toEqual([]);
        refused += each.length;
      }),
      { numRuns: payloads, seed },
    );

    const total = payloads * changesPerPayload;
    reportFigure('R15', `${refused} of ${total} deliveries with one changed byte are refused`);
    expect(refused).toBe(total);
  });

  it('verifies with either of two secrets while one replaces the other, and with no third (contract C27)', () => {
    const threeSecrets = fc.uniqueArray(secrets, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(messages, threeSecrets, (message, [before = '', after = '', third = '']) => {
        const delivery = deliver(message, [before, after]);
        const accepted = [before, after, third].map((secret) => isAccepted(secret, delivery));

        expect(accepted).toEqual([true, true, false]);
      }),
    );
  });
});
