import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { open, seal } from './secret-box.ts';

const bytes = Buffer.from(
  'fbefbefbefbe00112233445566778899aabbccddeeff00112233445566778899',
  'hex',
);
describe('seal and open', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
  const context = 'whk_1';
  const refusal =
    'the stored secret of whk_1 cannot be decrypted: SECRET_KEY (or the .secret-key file ' +
    'beside the database) is not the one that it was encrypted with; bring that one back, or delete ' +
    'what the secret belongs to, such as a subscription, and create it again';

  it('decrypts any text that was encrypted', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, boundTo) => {
          expect(open(bytes, seal(bytes, text, boundTo), boundTo)).toBe(text);
        },
      ),
    );
  });

  it('opens a text that an earlier release sealed', () => {
    // Made with Python's cryptography, from the description in the file.
    const sealed =
      'v1.AAECAwQFBgcICQoL844DGy2kmep6t0tQjABm26SjObg0_OSsoO_sczSMw73dO4GS9tz' +
      'kaDPp9AMPRBU3XM-QtG388Dy_dWqSOSYvMc5-';

    expect(open(bytes, sealed, context)).toBe(secret);
  });

  it('has another nonce each time', () => {
    const sealed = Array.from({ length: 1_000 }, () => seal(bytes, secret, context));

    expect(new Set(sealed.map((one) => one.slice(0, 3 + 16))).size).toBe(1_000);
  });

  it('does not open if any single character is changed', () => {
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

  it('reports to the operator what to do, without secret or key', () => {
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
