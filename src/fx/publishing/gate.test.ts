import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import { bankSeries } from '../banks/banks.ts';
import { ecb } from '../ecb/ecb.ts';
import { judgeSnapshot } from './gate.ts';
import type { Series } from '../series.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';

const judging = {
  series: ecb,
  today: isoDate('2026-11-20'),
  begunOn: isoDate('2026-11-20'),
};
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
        const four = (is: number) => countReasons(value * 4, is, 4);
        expect([four(value * 5), four(value * 3)]).toEqual([0, 0]);
        expect([four(value * 5 + 1), four(value * 3 - 1)]).toEqual([1, 1]);
        const most = (was: number, is: number) => countReasons(was, is, 6);
        expect([most(value * 10, value * 11), most(value * 11, value * 10)]).toEqual([0, 0]);
        expect([most(value * 10, value * 11 + 1), most(value * 11 + 1, value * 10)]).toEqual([
          1, 1,
        ]);
      }),
    );
  });

  it('passes a publication without three currencies, and holds one without four', () => {
    const without = (count: number) =>
      Object.fromEntries(Object.entries(values(10, [], '101')).slice(count));

    expect(judge(hundreds, without(3))).toEqual([]);
    expect(judge(hundreds, without(4))).toEqual(['4 currencies are gone (XAA, XAB, XAC, XAD)']);
  });

  it('does not judge values if no earlier one is left', () => {
    expect(judge({ USD: '1' }, { JPY: '1' })).toEqual([]);
  });

  const more = 'moved in one direction by a factor of over 1.1';
  it.each([
    [124, [`10 currencies ${more} (XAA, XAB, XAC, XAD, XAE, XAF, XBA, XBB, XBC, XBD)`]],
    [80.6452, [`10 currencies ${more} (XAA, XAB, XAC, XAD, XAE, XAF, XBA, XBB, XBC, XBD)`]],
    [110, []],
    [91, []],
  ])('judges all values moved together from 100 to %d', (value, reasons) => {
    expect(judge(hundreds, values(10, [], String(value)))).toEqual(reasons);
  });
});

describe('the gate on new currencies (contract C19)', () => {
  const begun = { fromTheStart: '2026-11-19', today: '2026-11-20', tomorrow: '2026-11-21' };
  const judgeNew = (count: number, series: Series, begunOn: string): string[] => {
    const was = publish(values(5, [], '100'), '2026-11-19');
    const is = publish(values(5 + count, [], '101'));
    return judgeSnapshot(is, was, { series, today: is.date, begunOn: isoDate(begunOn) });
  };
  const four = '4 currencies are new (XAF, XBA, XBB, XBC)';

  it.each([
    ['4 of a bank', bankSeries.cnb, 4, begun.fromTheStart, [four]],
    ['4 of a bank on the first day', bankSeries.cnb, 4, begun.today, [four]],
    ['4 of a bank in the first fill', bankSeries.cnb, 4, begun.tomorrow, []],
    ['3 of a bank', bankSeries.cnb, 3, begun.today, []],
    ['10 of the ECB', ecb, 10, begun.today, []],
    ['25 of the ECB in the first fill', ecb, 25, begun.tomorrow, []],
  ])('judges %s', (_what, series, count, begunOn, reasons) => {
    expect(judgeNew(count, series, begunOn)).toEqual(reasons);
  });

  it('says how many there are, and quotes 80 characters of their codes', () => {
    const [reason = ''] = judgeNew(25, ecb, begun.today);

    expect(reason).toMatch(/^25 currencies are new \(XAF, XBA, .{69}…\)$/);
  });
});

describe('the gate on currencies in the place of others (contract C19)', () => {
  const was = { USD: '1.1', GBP: '0.87', CHF: '0.93', AUD: '1.7', SEK: '11', NOK: '11.4' };
  const judgeAs = (is: Partial<typeof was>) =>
    judge(was, {
      USD: '1.101',
      GBP: '0.871',
      CHF: '0.931',
      AUD: '1.701',
      SEK: '11.1',
      NOK: '11.5',
      ...is,
    });
  const exchanged = (codes: string) => {
    const count = codes.split(', ').length;
    return [`${count} currencies have exchanged their values (${codes})`];
  };

  it.each([
    ['two', { USD: '0.87', GBP: '1.1' }, exchanged('USD, GBP')],
    ['two, a little moved', { USD: '0.8786', GBP: '1.0892' }, exchanged('USD, GBP')],
    ['two others', { CHF: '1.1', USD: '0.93' }, exchanged('USD, CHF')],
    [
      'two pairs',
      { CHF: '0.87', GBP: '0.93', USD: '1.7', AUD: '1.1' },
      exchanged('USD, GBP, CHF, AUD'),
    ],
    ['three in a ring', { USD: '0.93', CHF: '0.87', GBP: '1.1' }, exchanged('USD, GBP, CHF')],
    ['one of them alone', { USD: '0.87' }, []],
    ['two of which one is elsewhere', { USD: '0.87', GBP: '1.08' }, []],
    // Within 5 % of each other.
    ['two neighbours', { SEK: '11.4', NOK: '11' }, []],
  ])('judges %s', (_what, is, reasons) => {
    expect(judgeAs(is)).toEqual(reasons);
  });

  it('compares values as they are printed, for as many units as they are', () => {
    const cnb = (huf: string, jpy: string) => ({ HUF: huf, JPY: jpy });
    const judged = judgeSnapshot(
      publish(cnb('13.2/100', '9.3/100')),
      publish(cnb('9.3/100', '13.2/100'), '2026-11-19'),
      { ...judging, series: bankSeries.cnb },
    );

    expect(judged).toEqual(exchanged('HUF, JPY'));
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
