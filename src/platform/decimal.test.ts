import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDecimal } from '../../test/support/arbitraries.ts';
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

  it.each([
    ['nothing', ''],
    ['a sign', '-1'],
    ['a plus', '+1'],
    ['an exponent', '1e3'],
    ['infinity', 'INF'],
    ['not a number', 'NaN'],
    ['N/A', 'N/A'],
    ['a comma', '1,5'],
    ['no whole part', '.5'],
    ['no fraction after the point', '5.'],
    ['two points', '1.2.3'],
    ['a blank before', ' 1'],
    ['a line feed after', '1\n'],
    ['full-width digits', '１'],
    ['16 digits before the point', '1234567890123456'],
    ['16 digits after the point', '0.1234567890123456'],
  ])('refuses %s', (_, text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('reads its own result unchanged', () => {
    fc.assert(
      fc.property(canonicalDecimal, (text) => {
        expect(parseDecimal(text)).toBe(text);
      }),
    );
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
  it.each([
    ['5', '13', -1],
    ['13', '5', 1],
    ['5.5', '5.5', 0],
    ['5.5', '5', 1],
    ['5', '5.5', -1],
    ['5.05', '5.5', -1],
    ['5.25', '5.3', -1],
    ['12', '21', -1],
    ['21', '12', 1],
    ['0', '0.1', -1],
  ])('orders %s and %s by value', (a, b, sign) => {
    expect(Math.sign(compareDecimals(a, b))).toBe(sign);
  });

  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(canonicalDecimal, canonicalDecimal, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(Math.sign(compareDecimals(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
