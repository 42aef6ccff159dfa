import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { open, parseSecretKey, seal } from './secret-box.ts';

const bytes = Buffer.from(
  'fbefbefbefbe00112233445566778899aabbccddeeff00112233445566778899',
  'hex',
);
const [hex, base64, base64url] = [
  bytes.toString('hex'),
  bytes.toString('base64'),
  bytes.toString('base64url'),
];

describe('parseSecretKey (operator.md, SECRET_KEY)', () => {
  it.each([
    ['hex digits', hex],
    ['hex digits in upper case', hex.toUpperCase()],
    ['base64', base64],
    ['base64 without padding', base64.replace('=', '')],
    ['base64url', base64url],
    ['base64url with padding', `${base64url}=`],
    ['white space around it', `  ${hex}\r\n`],
  ])('reads 32 bytes from %s', (_, text) => {
    expect(parseSecretKey(text)).toEqual(bytes);
  });

  it.each([
    ['nothing', ''],
    ['blanks only', '   '],
    ['31 bytes in hex', hex.slice(2)],
    ['33 bytes in hex', `${hex}00`],
    ['half a byte', hex.slice(1)],
    ['a letter that is no hex digit', `g${hex.slice(1)}`],
    ['31 bytes in base64', bytes.subarray(1).toString('base64')],
    ['33 bytes in base64', Buffer.concat([bytes, bytes]).subarray(0, 33).toString('base64')],
    ['both alphabets', `${base64.slice(0, 4)}-_${base64.slice(6)}`],
    ['two signs of padding', `${base64}=`],
    ['two signs of padding in base64url', `${base64url}==`],
    ['bits that no byte has', `${base64.slice(0, -2)}l=`],
    ['bits that no byte has in base64url', `${base64url.slice(0, -1)}l`],
    ['white space inside', `${hex.slice(0, 32)} ${hex.slice(32)}`],
    ['quotation marks', `"${hex}"`],
    ['two base64 keys in lines', `${base64}\n${base64}`],
    ['two base64url keys in lines', `${base64url}\n${base64url}`],
    ['two hex keys in lines', `${hex}\n${hex}`],
  ])('refuses %s', (_, text) => {
    expect(parseSecretKey(text)).toBeUndefined();
  });

  it('reads every key that is written', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
        (key, encoding) => {
          const written = Buffer.from(key).toString(encoding);

          expect(parseSecretKey(written)).toEqual(Buffer.from(key));
        },
      ),
    );
  });
});

describe('seal and open', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
  const context = 'whk_1';
  const refusal =
    'webhooks: the signing secret of whk_1 cannot be decrypted: SECRET_KEY (or the .secret-key file ' +
    'beside the database) is not the one that it was encrypted with; bring that one back, or have the ' +
    'subscription deleted and made anew';

  it('gives back any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, where) => {
          expect(open(bytes, seal(bytes, text, where), where)).toBe(text);
        },
      ),
    );
  });

  it('opens what was sealed by an earlier release', () => {
    // Made with Python's cryptography, from the description in the file.
    const sealed =
      'v1.AAECAwQFBgcICQoL844DGy2kmep6t0tQjABm26SjObg0_OSsoO_sczSMw73dO4GS9tz' +
      'kaDPp9AMPRBU3XM-QtG388Dy_dWqSOSYvMc5-';

    expect(open(bytes, sealed, context)).toBe(secret);
  });

  it('has the version, 12 bytes of nonce, the text and 16 bytes of tag', () => {
    const sealed = seal(bytes, secret, context);

    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.slice(3), 'base64url')).toHaveLength(12 + secret.length + 16);
  });

  it('is another text each time, from its nonce on', () => {
    const sealed = Array.from({ length: 1_000 }, () => seal(bytes, secret, context));

    expect(new Set(sealed.map((one) => one.slice(0, 3 + 16))).size).toBe(1_000);
  });

  it.each([
    ['another key', randomBytes(32), context],
    ['another context', bytes, 'whk_2'],
    ['no context', bytes, ''],
  ])('does not open with %s', (_, key, otherContext) => {
    const sealed = seal(bytes, secret, context);

    expect(() => open(key, sealed, otherContext)).toThrow(/SECRET_KEY .* is not the one/);
  });

  it('does not open once any single character is another', () => {
    const sealed = seal(bytes, secret, context);
    const alphabet = Array.from('ABCZabcz019_-+/=. ');
    const others = Array.from(sealed).flatMap((character, at) =>
      alphabet
        .filter((other) => other !== character)
        .map((other) => sealed.slice(0, at) + other + sealed.slice(at + 1)),
    );
    const opened = others.filter((other) => opens(other));

    expect(others.length).toBeGreaterThan(1_000);
    expect(opened).toEqual([]);
  });

  it('does not open what is shortened or lengthened', () => {
    const sealed = seal(bytes, secret, context);
    const shortened = Array.from(sealed).map((_, at) => sealed.slice(0, at));
    const lengthened = ['A', '=', '\n', 'AAAA'].map((more) => sealed + more);

    expect([...shortened, ...lengthened].filter(opens)).toEqual([]);
  });

  it('says to the operator what to do, with neither secret nor key', () => {
    const sealed = seal(randomBytes(32), secret, context);

    expect(() => open(bytes, sealed, context)).toThrow(
      expect.objectContaining({ message: refusal, cause: expect.any(Error) }),
    );
  });

  function opens(sealed: string): boolean {
    try {
      open(bytes, sealed, context);
      return true;
    } catch {
      return false;
    }
  }
});
