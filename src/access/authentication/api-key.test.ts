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
    ['32 zeros', Buffer.alloc(32), 'vfx_00000000000000000000000000000000000000000002Zkw09'],
    [
      'a one',
      Buffer.from('1'.padStart(64, '0'), 'hex'),
      'vfx_00000000000000000000000000000000000000000014bmbvr',
    ],
    [
      'the largest number',
      Buffer.alloc(32, 0xff),
      'vfx_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10iXj4T',
    ],
    ['counted bytes', Uint8Array.from({ length: 32 }, (_, at) => at), key],
    [
      'a checksum that is padded',
      Buffer.from('31'.padStart(64, '0'), 'hex'),
      'vfx_000000000000000000000000000000000000000000n00SO8I',
    ],
  ])('prints %s as another program does', (_, bytes, expected) => {
    expect(formatApiKey(bytes)).toBe(expected);
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
  it.each([
    ['nothing', ''],
    ['another prefix', key.replace('vfx_', 'vfy_')],
    ['no prefix', key.slice(4)],
    ['a character too few', key.slice(0, -1)],
    ['a character too many', `${key}0`],
    ['a blank at the end', `${key} `],
    ['a line feed at the end', `${key}\n`],
    ['another alphabet', key.replace('J', '-')],
    ['letters in other case', `vfx_${key.slice(4).toUpperCase()}`],
  ])('refuses %s', (_, text) => {
    expect(hasKeyForm(text)).toBe(false);
  });

  it('notices every single wrong character', () => {
    const wrong = fc.tuple(
      randomBytes,
      fc.integer({ min: 4, max: 52 }),
      fc.constantFrom(...Array.from(alphabet)),
    );
    fc.assert(
      fc.property(wrong, ([bytes, at, other]) => {
        const made = formatApiKey(bytes);
        fc.pre(made[at] !== other);
        expect(hasKeyForm(made.slice(0, at) + other + made.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('notices two swapped neighbours', () => {
    fc.assert(
      fc.property(randomBytes, fc.integer({ min: 4, max: 51 }), (bytes, at) => {
        const made = formatApiKey(bytes);
        fc.pre(made[at] !== made[at + 1]);
        const turned = made.slice(0, at) + made[at + 1] + made[at] + made.slice(at + 2);
        expect(hasKeyForm(turned)).toBe(false);
      }),
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
    ['nothing', ''],
    ['the scheme alone', 'Bearer '],
    ['the key alone', key],
    ['another scheme', `Basic ${key}`],
    ['no blank after the scheme', `Bearer${key}`],
    ['something before the scheme', `x Bearer ${key}`],
    ['a blank after the key', `Bearer ${key} `],
    ['two keys', `Bearer ${key}, Bearer ${key}`],
    ['something after the key', `Bearer ${key} x`],
    ['a tab for a blank', `Bearer\t${key}`],
    ['a key with a typo', `Bearer ${key.replace('J', 'K')}`],
  ])('rejects %s', (_, header) => {
    expect(readAuthorization(['Authorization', header])).toEqual({ kind: 'malformed' });
  });

  it.each([
    ['no header at all', []],
    ['other headers', ['Host', 'x']],
    ['another header whose name is as long', ['Accept-Ranges', `Bearer ${key}`]],
    ['the name as the value of another', ['X-Name', 'Authorization', `Bearer ${key}`, 'x']],
  ])('reports a missing key for a request with %s', (_, rawHeaders) => {
    expect(readAuthorization(rawHeaders)).toEqual({ kind: 'missing' });
  });

  it('reads no key from two headers, even if they are equal', () => {
    const header = ['Authorization', `Bearer ${key}`];

    expect(readAuthorization([...header, ...header])).toEqual({ kind: 'malformed' });
  });
});
