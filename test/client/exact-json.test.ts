import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../client/src/exact-json.ts';
import { parseExactJson as parseWithSource } from '../../src/platform/values/exact-json.ts';

describe('parseExactJson (contract C11)', () => {
  it.each([
    ['{"a":1.10}', { a: '1.10' }],
    [
      '{"a":-0.0,"b":1e5,"c":[1,2.50,null,true]}',
      { a: '-0.0', b: '1e5', c: ['1', '2.50', null, true] },
    ],
    ['{"a":"1.10","b 2":"x \\"3\\" y","c":"\\\\"}', { a: '1.10', 'b 2': 'x "3" y', c: '\\' }],
    ['{"a":0.1234567890123456789}', { a: '0.1234567890123456789' }],
    ['{"count":2,"limit":50,"a":{"count":3}}', { count: 2, limit: 50, a: { count: 3 } }],
    ['7', '7'],
    ['{"__proto__":1}', JSON.parse('{"__proto__":"1"}')],
  ])('reads %s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it.each(['{1:2}', '01', '1.', '{"a":1', '', 'NaN', "{'a':1}", '[1 2]'])('refuses %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('returns the same as JSON.parse with access to the source text of numbers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/"(count|limit)"/.test(text));
        expect(parseExactJson(text)).toEqual(parseWithSource(text));
      }),
    );
  });

  it('reads a text of 3 MB', () => {
    const text = JSON.stringify({ a: 'x\\"'.repeat(1_000_000) });

    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });
});
