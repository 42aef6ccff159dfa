import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatApiKey, hasKeyForm, readAuthorization } from './api-key.ts';

const randomBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const key = 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number that base62 digits stand for, read without our code. */
function valueOf(digits: string): bigint {
  return Array.from(digits).reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n);
}

describe('formatApiKey (contract C25)', () => {
  // Computed with Python's int.from_bytes and zlib.crc32.
  it.each([
    ['00'.repeat(32), 'vfx_00000000000000000000000000000000000000000002Zkw09'],
    ['ff'.repeat(32), 'vfx_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10iXj4T'],
    ['000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', key],
    // A checksum that is padded.
    ['31'.padStart(64, '0'), 'vfx_000000000000000000000000000000000000000000n00SO8I'],
  ])('prints %s as another program does', (hex, expected) => {
    expect(formatApiKey(Buffer.from(hex, 'hex'))).toBe(expected);
  });

  it('makes keys of one form that hold every random bit', () => {
    fc.assert(
      fc.property(randomBytes, (bytes) => {
        const made = formatApiKey(bytes);
        expect(made).toMatch(/^vfx_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
        const hex = Buffer.from(bytes).toString('hex');
        expect(valueOf(made.slice(4, 47))).toBe(BigInt(`0x${hex}`));
        expect(hasKeyForm(made)).toBe(true);
      }),
    );
  });
});

describe('hasKeyForm (contract C25)', () => {
  it('notices every single wrong character, and two swapped neighbours', () => {
    const at = fc.integer({ min: 4, max: 51 });
    fc.assert(
      fc.property(
        randomBytes,
        at,
        fc.constantFrom(...Array.from(alphabet), '-'),
        (bytes, n, other) => {
          const made = formatApiKey(bytes);
          fc.pre(made[n] !== other && made[n] !== made[n + 1]);
          expect(hasKeyForm(made.slice(0, n) + other + made.slice(n + 1))).toBe(false);
          expect(hasKeyForm(made.slice(0, n) + made[n + 1] + made[n] + made.slice(n + 2))).toBe(
            false,
          );
        },
      ),
    );
  });
});

describe('readAuthorization (interface 5, contract C25)', () => {
  it.each([
    ['as it is written', `Bearer ${key}`],
    ['with the scheme in other case', `bEARER ${key}`],
    ['with several blanks', `Bearer   ${key}`],
  ])('reads a key %s', (_, header) => {
    expect(readAuthorization(['Host', 'x', 'aUTHORIZATION', header])).toEqual({ kind: 'key', key });
  });

  it.each([
    '',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `x Bearer ${key}`,
    `Bearer ${key} `,
    `Bearer ${key}\n`,
    `Bearer ${key}0`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key.slice(4)}`,
    `Bearer ${key.replace('vfx_', 'vfy_')}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer\t${key}`,
    `Bearer ${key.replace('J', 'K')}`,
  ])('refuses %j', (header) => {
    expect(readAuthorization(['Authorization', header])).toMatchObject({ kind: 'malformed' });
  });

  it.each([
    [[]],
    [['Host', 'x']],
    [['Accept-Ranges', `Bearer ${key}`]],
    [['X-Name', 'Authorization', `Bearer ${key}`, 'x']],
  ])('finds no key in %j', (rawHeaders) => {
    expect(readAuthorization(rawHeaders)).toMatchObject({ kind: 'missing' });
  });

  it('reads no key from two headers, even if they are equal', () => {
    const header = ['Authorization', `Bearer ${key}`];

    expect(readAuthorization([...header, ...header])).toMatchObject({ kind: 'malformed' });
  });
});
