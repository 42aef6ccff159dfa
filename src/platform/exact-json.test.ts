import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDecimal } from '../../test/support/arbitraries.ts';
import { jsonNumber, parseExactJson } from './exact-json.ts';

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
