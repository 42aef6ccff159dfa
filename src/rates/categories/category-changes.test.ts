import { describe, expect, it } from 'vitest';
import { categoryRow as row, rowsOf as country } from '../../../test/support/category-rows.ts';
import { diffCategories } from './category-changes.ts';
import type { CategoryRow } from './category-row.ts';

describe('diffCategories (rule G9)', () => {
  it.each<[string, Partial<CategoryRow>]>([
    ['rate', { rate: '6' }],
    ['treatment', { treatment: 'zero' }],
    ['CN codes', { cnCodes: ['4901'] }],
    ['CPA codes', { cpaCodes: ['58'] }],
    ['territory', { territory: 'Azores' }],
  ])('lists all rows of a category in which one has another %s', (_, change) => {
    const twin = row('B', { rate: '12' });
    const before = [country('BE', row('A'), row('B'), twin)];
    const after = [country('BE', row('A'), row('B', change), twin)];

    expect(diffCategories(before, after)).toEqual([
      { country: 'BE', category: 'B', before: [row('B'), twin], after: [row('B', change), twin] },
    ]);
  });

  it.each<[string, Partial<CategoryRow>]>([
    ['comment', { comment: 'new' }],
    ['situation date', { situationOn: '2026-09-01' }],
    ['description', { description: 'new' }],
  ])('does not list a category whose rows have another %s', (_, change) => {
    expect(diffCategories([country('BE', row('A'))], [country('BE', row('A', change))])).toEqual(
      [],
    );
  });

  it('does not list rows in another order', () => {
    const rows = [row('A'), row('A', { rate: '12' })];

    expect(diffCategories([country('BE', ...rows)], [country('BE', ...rows.toReversed())])).toEqual(
      [],
    );
  });

  it('lists categories and countries that come or go, by country and category', () => {
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
});
