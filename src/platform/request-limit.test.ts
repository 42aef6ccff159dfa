import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestLimit, requestLimitMax } from './request-limit.ts';

describe('parseRequestLimit (contract C26)', () => {
  it.each([
    ['no limit', 'none', 'none'],
    ['the least', '1', 1],
    ['a usual one', '600', 600],
    ['the most', '1000000000', requestLimitMax],
  ])('reads %s: %s', (_, text, limit) => {
    expect(parseRequestLimit(text)).toBe(limit);
  });

  it.each([
    ['nothing', ''],
    ['zero', '0'],
    ['one more than the most', '1000000001'],
    ['eleven digits', '10000000000'],
    ['zeros in front', '0600'],
    ['a sign', '+600'],
    ['less than nothing', '-1'],
    ['a fraction', '0.5'],
    ['a whole number with a fraction', '600.0'],
    ['an exponent', '6e2'],
    ['another base', '0x258'],
    ['a separator', '100,000'],
    ['a blank before', ' 600'],
    ['a line feed after', '600\n'],
    ['a blank for a digit', '6 00'],
    ['full-width digits', '６００'],
    ['none in capitals', 'NONE'],
    ['none and a blank', 'none '],
    ['infinity', 'Infinity'],
    ['the word for a limit that is not its own', 'default'],
  ])('refuses %s', (_, text) => {
    expect(parseRequestLimit(text)).toBeUndefined();
  });

  it('reads every number that it accepts as it is printed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: requestLimitMax }), (limit) => {
        expect(parseRequestLimit(String(limit))).toBe(limit);
      }),
    );
  });
});
