import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSecretKey } from './secret-key.ts';

const bytes = Buffer.from(
  'fbefbefbefbe00112233445566778899aabbccddeeff00112233445566778899',
  'hex',
);
const [hex, base64] = [bytes.toString('hex'), bytes.toString('base64')];
const base64url = bytes.toString('base64url');

describe('parseSecretKey (operator.md, SECRET_KEY)', () => {
  it.each([hex.toUpperCase(), base64.replace('=', ''), `${base64url}=`, `  ${hex}\r\n`])(
    'reads 32 bytes from %j',
    (text) => {
      expect(parseSecretKey(text)).toEqual(bytes);
    },
  );

  it.each([
    ['nothing', '   '],
    ['31 bytes in hex', hex.slice(2)],
    ['33 bytes in hex', `${hex}00`],
    ['half a byte', hex.slice(1)],
    ['31 bytes in base64', bytes.subarray(1).toString('base64')],
    ['33 bytes in base64', Buffer.concat([bytes, bytes]).subarray(0, 33).toString('base64')],
    ['both alphabets', `${base64.slice(0, 4)}-_${base64.slice(6)}`],
    ['two signs of padding', `${base64}=`],
    ['bits beyond the last byte', `${base64url.slice(0, -1)}l`],
    ['white space inside', `${hex.slice(0, 32)} ${hex.slice(32)}`],
    ['quotation marks', `"${hex}"`],
    ['two keys in lines', `${base64}\n${base64}`],
  ])('refuses %s', (_, text) => {
    expect(parseSecretKey(text)).toBeUndefined();
  });

  it('reads every key that it prints', () => {
    const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const anyEncoding = fc.constantFrom<BufferEncoding>('hex', 'base64', 'base64url');
    fc.assert(
      fc.property(anyKey, anyEncoding, (key, encoding) => {
        expect(parseSecretKey(Buffer.from(key).toString(encoding))).toEqual(Buffer.from(key));
      }),
    );
  });
});
