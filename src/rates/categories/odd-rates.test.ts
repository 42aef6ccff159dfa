import { expect, it } from 'vitest';
import { categoryRow as row, rowsOf } from '../../../test/support/category-rows.ts';
import type { CategoryRow } from './category-row.ts';
import { findOddRates } from './odd-rates.ts';

const seven = 'Annex 2 contains a list of goods falling under the reduced rate of 7% such as milk.';

it.each<[string, Partial<CategoryRow>, boolean]>([
  ['another rate than its comment', { rate: '8', comment: seven }, true],
  ['the rate of its comment', { rate: '7', comment: seven }, false],
  [
    'the rate of its comment among others',
    { rate: '8', comment: '7,0 %, since 2026 8.0 %' },
    false,
  ],
  ['no percentage in its comment', { rate: '8', comment: 'Annex 2' }, false],
  ['no comment', { rate: '8' }, false],
  ['a rate that another row has', { rate: '9', comment: seven }, false],
  ['an import', { rate: '8', comment: seven, scope: 'import' }, false],
  ['a territory', { rate: '8', comment: seven, territory: 'Helgoland' }, false],
])('reports a row with %s: %j', (_, own, isOdd) => {
  const germany = rowsOf('DE', row('OTHER', { rate: '9' }), row('FOOD', own));

  expect(findOddRates([germany])).toEqual(
    isOdd ? ['DE FOOD: no other row has the rate 8, and its comment names 7 %'] : [],
  );
});
