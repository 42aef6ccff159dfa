import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSecretKey } from './secret-key.ts';

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
    ['bits beyond the last byte', `${base64.slice(0, -2)}l=`],
    ['bits beyond the last byte in base64url', `${base64url.slice(0, -1)}l`],
    ['white space inside', `${hex.slice(0, 32)} ${hex.slice(32)}`],
    ['quotation marks', `"${hex}"`],
    ['two base64 keys in lines', `${base64}\n${base64}`],
    ['two base64url keys in lines', `${base64url}\n${base64url}`],
    ['two hex keys in lines', `${hex}\n${hex}`],
  ])('refuses %s', (_, text) => {
    expect(parseSecretKey(text)).toBeUndefined();
  });

  it('reads every key that it prints', () => {
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
