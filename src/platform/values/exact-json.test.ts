import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDecimal } from '../../../test/support/arbitraries.ts';
import { joinJson, jsonNumber, parseExactJson } from './exact-json.ts';

describe('jsonNumber and parseExactJson (contract C11)', () => {
  it('restore every decimal in a round trip', () => {
    fc.assert(
      fc.property(fc.array(canonicalDecimal), (decimals) => {
        const text = JSON.stringify(decimals.map(jsonNumber));
        expect(text).toBe(`[${decimals.join(',')}]`);
        expect(parseExactJson(text)).toEqual(decimals);
      }),
    );
  });

  it.each([
    ['a word', 'five'],
    ['nothing', ''],
    ['an object', '{"a":1}'],
    ['a list', '[1]'],
  ])('refuse to print %s as a number', (_, text) => {
    expect(() => jsonNumber(text)).toThrow(SyntaxError);
  });
});

describe('joinJson', () => {
  it('prints the fields of all parts in their order, and keeps the bytes of printed JSON', () => {
    const text = joinJson({ a: 1 }, '{"b":1.10,"c":"\\u00e9"}', {}, '{}', {
      d: jsonNumber('2.50'),
    });

    expect(text).toBe('{"a":1,"b":1.10,"c":"\\u00e9","d":2.50}');
  });

  it('prints an empty object for no fields', () => {
    expect(joinJson({}, '{}')).toBe('{}');
  });
});
