import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDecimal } from '../../test/support/arbitraries.ts';
import { jsonNumber, parseExactJson } from './exact-json.ts';

describe('jsonNumber and parseExactJson (contract C11)', () => {
  it('print decimals that no binary number can hold', () => {
    const decimal = '999999999999999.123456789012345';

    expect(JSON.stringify([jsonNumber(decimal)])).toBe(`[${decimal}]`);
    expect(parseExactJson(`[${decimal}]`)).toEqual([decimal]);
  });

  it('read the text of a number unchanged', () => {
    expect(parseExactJson('{"a":1.10,"b":[0.5,2e3],"c":-0}')).toEqual({
      a: '1.10',
      b: ['0.5', '2e3'],
      c: '-0',
    });
  });

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
