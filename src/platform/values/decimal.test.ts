import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDecimal } from '../../../test/support/arbitraries.ts';
import { compareDecimals, parseDecimal } from './decimal.ts';

/** Any plain notation, with superfluous zeros up to the limit. */
const anyNotation = fc
  .tuple(fc.stringMatching(/^[0-9]{1,15}$/), fc.option(fc.stringMatching(/^[0-9]{1,15}$/)))
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`));

/** The value as a whole number of 10^-15, computed without our code. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(15, '0'));
}

describe('parseDecimal (contract C11)', () => {
  it.each([
    ['25.0', '25'],
    ['25', '25'],
    ['0.87260', '0.8726'],
    ['1.1790', '1.179'],
    ['05.5', '5.5'],
    ['0', '0'],
    ['0.0', '0'],
    ['000', '0'],
    ['100', '100'],
    ['1912400', '1912400'],
    ['999999999999999.999999999999999', '999999999999999.999999999999999'],
  ])('reads %s as %s', (text, canonical) => {
    expect(parseDecimal(text)).toBe(canonical);
  });

  const refused =
    '|-1|+1|1e3|INF|NaN|N/A|1,5|.5|5.|1.2.3| 1|1\n|１|1234567890123456|0.1234567890123456';

  it.each(refused.split('|'))('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('keeps every digit of the value', () => {
    fc.assert(
      fc.property(anyNotation, (text) => {
        const read = parseDecimal(text) ?? '';
        expect(scaled(read)).toBe(scaled(text));
        expect(read).not.toMatch(/^0[0-9]|\.$|\.[0-9]*0$/);
      }),
    );
  });

  it('returns equal texts for equal values', () => {
    fc.assert(
      fc.property(anyNotation, anyNotation, (a, b) => {
        expect(parseDecimal(a) === parseDecimal(b)).toBe(scaled(a) === scaled(b));
      }),
    );
    fc.assert(
      fc.property(canonicalDecimal, (decimal) => {
        const padded = decimal.includes('.') ? `0${decimal}` : `0${decimal}.0`;
        fc.pre(padded.indexOf('.') <= 15);
        expect(parseDecimal(padded)).toBe(decimal);
      }),
    );
  });
});

describe('compareDecimals', () => {
  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(canonicalDecimal, canonicalDecimal, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(Math.sign(compareDecimals(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
