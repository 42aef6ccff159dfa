import { expect, it } from 'vitest';
import { categoryRow as row, rowsOf as country } from '../../../test/support/category-rows.ts';
import { countDifferences, diffCategories } from './category-changes.ts';
import type { CategoryRow } from './category-row.ts';

const twin = row('B', { rate: '12' });

it.each<[Partial<CategoryRow>, isChange: boolean]>([
  [{ rate: '6' }, true],
  [{ treatment: 'zero' }, true],
  [{ cnCodes: ['4901'] }, true],
  [{ cpaCodes: ['58'] }, true],
  [{ territory: 'Azores' }, true],
  [{ comment: 'new' }, false],
  [{ situationOn: '2026-09-01' }, false],
  [{ description: 'new' }, false],
])('a row with %j is a change of its category, or not: %s (rule G9)', (own, isChange) => {
  const before = [country('BE', row('A'), row('B'), twin)];
  const after = [country('BE', twin, row('A'), row('B', own))];

  const changes = diffCategories(before, after);

  expect(changes.map(({ category }) => category)).toEqual(isChange ? ['B'] : []);
});

it('a change has all rows of its category before and after (rule G9)', () => {
  const before = [country('BE', row('A'), row('B'), twin)];
  const after = [country('BE', row('A'), row('B', { rate: '6' }), twin)];

  expect(diffCategories(before, after)).toEqual([
    {
      country: 'BE',
      category: 'B',
      before: [row('B'), twin],
      after: [row('B', { rate: '6' }), twin],
    },
  ]);
});

it('categories and countries that come or go are listed by country and category (rule G9)', () => {
  const changes = diffCategories(
    [country('BE', row('A'), row('C')), country('DE', row('A'))],
    [country('AT', row('Z')), country('BE', row('C'), row('B'))],
  );

  expect(
    changes.map((one) => [one.country, one.category, one.before.length, one.after.length]),
  ).toEqual([
    ['AT', 'Z', 0, 1],
    ['BE', 'A', 1, 0],
    ['BE', 'B', 0, 1],
    ['DE', 'A', 1, 0],
  ]);
});

it('rows are counted as added, removed or changed by category, codes and territory', () => {
  const was = [row('A'), row('B'), twin, row('C'), row('D', { comment: 'old' })];
  const is = [
    row('A', { cnCodes: ['4901'] }),
    row('B', { rate: '6' }),
    twin,
    row('C'),
    row('C', { rate: '21' }),
    row('D', { comment: 'new' }),
  ];

  expect(countDifferences(was, is)).toEqual({ added: 2, removed: 1, changed: 1 });
});
