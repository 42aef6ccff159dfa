import { describe, expect, it } from 'vitest';
import { categoryRow, rowsOf } from '../../../test/support/category-rows.ts';
import type { CategoryRow, CountryRows } from './category-row.ts';
import type { CountryCode } from '../member-states.ts';
import type { RateEntry } from '../snapshot.ts';
import { findAbolished, judgeCategories } from './judge-categories.ts';

const row = (at: number, more?: Partial<CategoryRow>): CategoryRow =>
  categoryRow(`CATEGORY_${at}`, more);

const rows = (count: number, more?: Partial<CategoryRow>): CategoryRow[] =>
  Array.from({ length: count }, (_, at) => row(at, more));

const country = (code: string, own: readonly CategoryRow[]): CountryRows => rowsOf(code, ...own);

describe('judgeCategories (rule G10)', () => {
  it('has no reason against the same rows, and against new comments and dates', () => {
    const same = [country('BE', rows(8, { comment: 'new', situationOn: '2027-01-01' }))];

    expect(judgeCategories([country('BE', rows(8))], same)).toEqual([]);
  });

  it.each([
    ['no rows', []],
    ['no answer', undefined],
  ])('is against a country that had rows and has %s', (_, own) => {
    const current = own === undefined ? [] : [country('BE', own)];

    expect(judgeCategories([country('BE', rows(8))], current)).toEqual([
      'BE: no goods categories, it had 8 rows',
    ]);
  });

  it('is for a country that had no rows', () => {
    expect(judgeCategories([], [country('DK', rows(3))])).toEqual([]);
  });

  it('is against more than half of the rows of a country being gone', () => {
    const previous = [country('BE', rows(8)), country('IT', rows(90))];
    const judge = (left: number) =>
      judgeCategories(previous, [country('BE', rows(left)), country('IT', rows(90))]);

    expect(judge(4)).toEqual([]);
    expect(judge(3)).toEqual(['BE: 5 of 8 rows of goods categories are gone']);
  });

  it('is for rows whose rate the country has abolished: the gate of national rates judges that', () => {
    const hungary = (...rates: string[]) =>
      ({
        country: 'HU' as CountryCode,
        standard: '27',
        reduced: rates,
        superReduced: undefined,
        parking: undefined,
      }) as RateEntry;
    const previous = [country('HU', [...rows(61), ...rows(6, { rate: '18' })])];
    const current = [country('HU', rows(6, { rate: '18' }))];
    const judge = (rates: readonly string[]) =>
      judgeCategories(previous, current, findAbolished([hungary('5', '18')], [hungary(...rates)]));

    expect(judge(['18'])).toEqual([]);
    expect(judge(['5', '18'])).toEqual(['HU: 61 of 67 rows of goods categories are gone']);
  });

  it('is against more than 25 % of all rows having another rate', () => {
    const previous = [country('BE', rows(8)), country('IT', rows(12))];
    const judge = (moved: number) =>
      judgeCategories(previous, [
        country('BE', [...rows(moved, { rate: '6' }), ...rows(8).slice(moved)]),
        country('IT', rows(12)),
      ]);

    expect(judge(5)).toEqual([]);
    expect(judge(6)).toEqual([
      '6 of 20 rows of goods categories have another rate, expected at most 25 %',
    ]);
  });

  it('counts the rows of a country that has kept its set, as rows without another rate', () => {
    const kept = country('IT', rows(12));
    const judge = (moved: number) =>
      judgeCategories(
        [country('BE', rows(8)), kept],
        [country('BE', rows(moved, { rate: '6' })), kept],
      );

    expect(judge(5)).toEqual([]);
    expect(judge(6)).toEqual([
      '6 of 20 rows of goods categories have another rate, expected at most 25 %',
    ]);
  });

  it('counts another treatment as another rate, and rows of the same goods as a group', () => {
    const twins = [row(0), row(0, { rate: '10' }), row(1)];
    const judge = (...now: readonly CategoryRow[]) =>
      judgeCategories([country('BE', twins)], [country('BE', now)]);

    expect(judge(row(0, { rate: '10' }), row(0), row(1))).toEqual([]);
    expect(judge(row(0), row(0, { rate: null, treatment: 'exempted' }), row(1))).toHaveLength(1);
  });
});
