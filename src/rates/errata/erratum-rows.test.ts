import { describe, expect, it } from 'vitest';
import { categoryRow as row, goodsErratum } from '../../../test/support/category-rows.ts';
import type { CategoryRow } from '../categories/category-row.ts';
import { isCorrected } from './erratum-rows.ts';

describe('isCorrected (rules X6, X7)', () => {
  const cola = goodsErratum('err_a', { codes: ['2202'] });
  const lacking = goodsErratum('err_b', { codes: ['2202'], source: null });
  const lower = goodsErratum('err_c', { codes: ['2202'], law: { treatment: 'zero', rate: '0' } });
  const drink = (rate: string, own: Partial<CategoryRow> = {}) =>
    row('FOOD', { rate, cnCodes: ['22'], ...own });

  it.each([
    ['the row is as before', cola, [drink('7')], false],
    ['it is there beside one of the law', cola, [drink('7'), drink('19')], false],
    ['it has the rate of the law', cola, [drink('19')], true],
    ['it has a third rate', cola, [drink('12')], false],
    ['it is gone, and the law is the standard rate', cola, [], true],
    [
      'it has other codes now, and the law is the standard rate',
      cola,
      [drink('7', { cnCodes: ['04'] })],
      true,
    ],
    ['it is gone, and the law is another rate', lower, [], false],
    ['TEDB has the row that it lacked', lacking, [drink('19')], true],
    ['TEDB has it in another category', lacking, [drink('19', { category: 'WATER' })], true],
    ['TEDB has it for a place only', lacking, [drink('19', { territory: 'Büsingen' })], false],
    ['TEDB has a row with another rate', lacking, [drink('7')], false],
  ])('if %s', (_, erratum, rows, expected) => {
    expect(isCorrected(erratum, rows, '19')).toBe(expected);
  });

  it('is not known for a row that is gone, if the answer has no standard rate', () => {
    expect(isCorrected(cola, [], undefined)).toBe(false);
  });
});
