import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time/time.ts';
import { ecb } from './ecb-series.ts';
import { judgeSnapshot } from './gate.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';

const judging = { series: ecb, today: isoDate('2026-11-20') };
/** XAA, XAB and so on. */
const names = Array.from(
  { length: 30 },
  (_, at) => `X${String.fromCharCode(65 + at / 6, 65 + (at % 6))}`,
);

function publish(rates: Readonly<Record<string, string>>, date = '2026-11-20'): FxSnapshot {
  return { date: isoDate(date), rates: new Map(Object.entries(rates) as [CurrencyCode, string][]) };
}

/** The judgement of a publication, by what its values were the day before. */
function judge(was: Readonly<Record<string, string>>, is: Readonly<Record<string, string>>) {
  return judgeSnapshot(publish(is), publish(was, '2026-11-19'), judging);
}

/** Values of the first currencies: the given ones, then another one. */
function values(count: number, given: readonly string[], others: string): Record<string, string> {
  return Object.fromEntries(names.slice(0, count).map((name, at) => [name, given[at] ?? others]));
}

const hundreds = values(10, [], '100');
/** The judgement of ten currencies that were 100: these have other values, the rest a little more. */
const judgeMoves = (...given: readonly string[]) => judge(hundreds, values(10, given, '101'));
/** The same with values in units of 1/10,000, of which the first `count` move. */
const countReasons = (was: number, is: number, count: number): number => {
  const text = (value: number): string => String(value / 10_000);
  const before = values(10, Array<string>(count).fill(text(was)), '1');
  return judge(before, values(10, Array<string>(count).fill(text(is)), '1.01')).length;
};

it.each([
  ['2026-11-19', []],
  ['2026-11-20', []],
  // A day on which nothing should come.
  ['2026-05-01', []],
  ['2026-11-14', ['2026-11-14 is a weekend']],
  ['2026-11-15', ['2026-11-15 is a weekend']],
  ['1998-12-31', ['1998-12-31 is before the first publication of all, 1999-01-04']],
  ['2026-11-23', ['2026-11-23 is in the future, today is 2026-11-20']],
  ['2026-11-21', ['2026-11-21 is a weekend', '2026-11-21 is in the future, today is 2026-11-20']],
])('the gate judges a publication of %s (contract C19)', (date, reasons) => {
  expect(judgeSnapshot(publish({ USD: '1.1' }, date), undefined, judging)).toEqual(reasons);
});

describe('the gate on values (contract C19)', () => {
  const four = (value: string): string[] => [value, value, value, value];
  const fourMoved = '4 currencies moved by over 25 % (XAA, XAB, XAC, XAD)';

  it.each([
    [['199.9999'], []],
    [['50.0001'], []],
    [['100.5'], []],
    [['200'], ['XAA 100 → 200, a factor of 2 or more']],
    [['50'], ['XAA 100 → 50, a factor of 2 or more']],
    [['0.0001'], ['XAA 100 → 0.0001, a factor of 2 or more']],
    [['126', '74', '180'], []],
    [four('125'), []],
    [four('75'), []],
    [four('125.0001'), [fourMoved]],
    [four('74.9999'), [fourMoved]],
    [['130', '70', '130', '70'], [fourMoved]],
  ])('judges moves from 100 to %j', (given, reasons) => {
    expect(judgeMoves(...given)).toEqual(reasons);
  });

  it('applies its limits exactly to values of any digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 500_000 }), (value) => {
        const one = (was: number, is: number) => countReasons(was, is, 1);
        expect([one(value, value * 2), one(value * 2, value)]).toEqual([1, 1]);
        expect([one(value, value * 2 - 1), one(value * 2 - 1, value)]).toEqual([0, 0]);
        const all = (is: number) => countReasons(value * 4, is, 10);
        expect([all(value * 5), all(value * 3)]).toEqual([0, 0]);
        expect([all(value * 5 + 1), all(value * 3 - 1)]).toEqual([1, 1]);
      }),
    );
  });

  it('passes a publication without three currencies, and holds one without four', () => {
    const without = (count: number) =>
      Object.fromEntries(Object.entries(values(10, [], '101')).slice(count));

    expect(judge(hundreds, without(3))).toEqual([]);
    expect(judge(hundreds, without(4))).toEqual(['4 currencies are gone (XAA, XAB, XAC, XAD)']);
  });

  it('passes new currencies with any values, and does not judge values if no earlier one is left', () => {
    expect(judge(values(5, [], '100'), values(30, [], '101'))).toEqual([]);
    expect(judge({ USD: '1' }, { JPY: '1' })).toEqual([]);
  });
});

describe('the gate on a publication that repeats the one before (contract C19)', () => {
  it.each([
    [10, 8, false],
    [10, 9, true],
    [20, 17, false],
    [20, 18, true],
    [29, 26, false],
    [29, 27, true],
    [30, 26, false],
    [30, 27, true],
    [30, 30, true],
    [1, 0, false],
    [1, 1, true],
  ])('with %d values of which %d are unchanged, holds it: %s', (count, unchanged, isHeld) => {
    const now = values(count, Array<string>(unchanged).fill('100'), '101');

    expect(judge(values(count, [], '100'), now)).toEqual(
      isHeld ? [`${unchanged} of ${count} values are those of 2026-11-19`] : [],
    );
  });
});
