import { expect, it } from 'vitest';
import { categoryRow, rowsOf } from '../../../test/support/category-rows.ts';
import type { CategoryRow, CountryRows } from './category-row.ts';
import type { CountryCode } from '../member-states.ts';
import { findAbolished, judgeCategories } from './judge-categories.ts';

const row = (at: number, more?: Partial<CategoryRow>): CategoryRow =>
  categoryRow(`CATEGORY_${at}`, more);
const rows = (count: number, more?: Partial<CategoryRow>): CategoryRow[] =>
  Array.from({ length: count }, (_, at) => row(at, more));
const belgium = (...own: readonly CategoryRow[]): CountryRows => rowsOf('BE', ...own);
const italy = rowsOf('IT', ...rows(12));
const moved = (count: number): CountryRows =>
  belgium(...rows(count, { rate: '6' }), ...rows(8).slice(count));
const tooMany = '6 of 20 rows of goods categories have another rate, expected at most 25 %';
const zero = { rate: null, treatment: 'exempted' } as const;

it.each<[string, CountryRows[], CountryRows[], string[]]>([
  ['the same rows', [belgium(...rows(8))], [belgium(...rows(8))], []],
  [
    'new comments and dates',
    [belgium(...rows(8))],
    [belgium(...rows(8, { comment: 'new', situationOn: '2027-01-01' }))],
    [],
  ],
  ['no rows', [belgium(...rows(8))], [belgium()], ['BE: no goods categories, it had 8 rows']],
  ['no answer', [belgium(...rows(8))], [], ['BE: no goods categories, it had 8 rows']],
  ['first rows', [], [belgium(...rows(3))], []],
  ['half of the rows', [belgium(...rows(8))], [belgium(...rows(4))], []],
  [
    'less than half of the rows',
    [belgium(...rows(8)), italy],
    [belgium(...rows(3)), italy],
    ['BE: 5 of 8 rows of goods categories are gone'],
  ],
  ['another rate in 25 % of all rows', [belgium(...rows(8)), italy], [moved(5), italy], []],
  [
    'another rate in more, beside a country that has kept its set',
    [belgium(...rows(8)), italy],
    [moved(6), italy],
    [tooMany],
  ],
  [
    'rows of the same goods in another order',
    [belgium(row(0), row(0, { rate: '10' }), row(1))],
    [belgium(row(0, { rate: '10' }), row(0), row(1))],
    [],
  ],
  [
    'another treatment',
    [belgium(row(0), row(0, { rate: '10' }), row(1))],
    [belgium(row(0), row(0, zero), row(1))],
    ['1 of 3 rows of goods categories have another rate, expected at most 25 %'],
  ],
])('an answer with %s is judged (rule G10)', (_, previous, current, reasons) => {
  expect(judgeCategories(previous, current)).toEqual(reasons);
});

it('rows whose rate the country has abolished may be gone: the gate of national rates judges that (rule G10)', () => {
  const hungary = (...reduced: string[]) => ({
    country: 'HU' as CountryCode,
    standard: '27',
    reduced,
    superReduced: undefined,
    parking: undefined,
  });
  const previous = [rowsOf('HU', ...rows(61), ...rows(6, { rate: '18' }))];
  const current = [rowsOf('HU', ...rows(6, { rate: '18' }))];
  const judge = (rates: readonly string[]) =>
    judgeCategories(previous, current, findAbolished([hungary('5', '18')], [hungary(...rates)]));

  expect(judge(['18'])).toEqual([]);
  expect(judge(['5', '18'])).toEqual(['HU: 61 of 67 rows of goods categories are gone']);
});
