import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRequestLimit, requestLimitMax } from './request-cost.ts';

const refused =
  '|0|1000000001|0600|+600|-1|0.5|600.0|6e2|0x258|100,000| 600|600\n|6 00|６００|NONE|none |default';

it.each(refused.split('|'))('parseRequestLimit refuses %j (contract C26)', (text) => {
  expect(parseRequestLimit(text)).toBeUndefined();
});

it('parseRequestLimit reads none, and every number as it is printed', () => {
  expect(parseRequestLimit('none')).toBe('none');
  expect(parseRequestLimit(String(requestLimitMax))).toBe(1_000_000_000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: requestLimitMax }), (limit) => {
      expect(parseRequestLimit(String(limit))).toBe(limit);
    }),
  );
});
