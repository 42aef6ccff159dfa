import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time.ts';
import { judgeSnapshot } from './gate.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';

const today = isoDate('2026-11-20');
const names = Array.from(
  { length: 30 },
  (_, at) => `X${String.fromCharCode(65 + at / 6, 65 + (at % 6))}`,
);

function of(rates: readonly (readonly [string, string])[], date = '2026-11-20'): FxSnapshot {
  return { date: isoDate(date), rates: new Map(rates as readonly [CurrencyCode, string][]) };
}

/** The judgement of ten currencies that were 100 the day before: these have other values, the rest a little more. */
function judgeMoves(...values: readonly string[]): string[] {
  const ten = names.slice(0, 10);
  const before = of(
    ten.map((name) => [name, '100'] as const),
    '2026-11-19',
  );
  return judgeSnapshot(of(ten.map((name, at) => [name, values[at] ?? '101'])), before, today);
}

/** The judgement of some currencies, of which a number is unchanged and the others are a little higher. */
function judgeUnchanged(count: number, unchanged: number): string[] {
  const before = of(
    names.slice(0, count).map((name) => [name, '100']),
    '2026-11-19',
  );
  const now = names
    .slice(0, count)
    .map((name, at) => [name, at < unchanged ? '100' : '101'] as const);
  return judgeSnapshot(of(now), before, today);
}

describe('the gate on a single publication (contract C19)', () => {
  it.each([
    ['Thursday', '2026-11-19'],
    ['today', '2026-11-20'],
    ['a day on which nothing should come', '2026-05-01'],
  ])('passes a date that is %s', (_, date) => {
    expect(judgeSnapshot(of([['USD', '1.1']], date), undefined, today)).toEqual([]);
  });

  it.each([
    ['a Saturday', '2026-11-14', ['2026-11-14 is a weekend']],
    ['a Sunday', '2026-11-15', ['2026-11-15 is a weekend']],
    [
      'before the first publication of the ECB',
      '1998-12-31',
      ['1998-12-31 is before the first publication of all, 1999-01-04'],
    ],
    ['tomorrow', '2026-11-23', ['2026-11-23 is in the future, today is 2026-11-20']],
    [
      'both',
      '2026-11-21',
      ['2026-11-21 is a weekend', '2026-11-21 is in the future, today is 2026-11-20'],
    ],
  ])('holds a date that is %s', (_, date, reasons) => {
    expect(judgeSnapshot(of([['USD', '1.1']], date), undefined, today)).toEqual(reasons);
  });
});

describe('the gate on one currency (contract C19)', () => {
  it.each(['199.9999', '50.0001', '100.5'])('passes a move from 100 to %s', (value) => {
    expect(judgeMoves(value)).toEqual([]);
  });

  it.each(['200', '50', '1000', '1', '0.0001'])('holds a move from 100 to %s', (value) => {
    expect(judgeMoves(value)).toEqual([
      expect.stringMatching(/^XAA 100 → .*, a factor of 2 or more$/),
    ]);
  });

  it('applies the limit exactly to values of any digits', () => {
    const units = fc.integer({ min: 2, max: 2_000_000 });
    const text = (value: number): string => String(value / 10_000);
    const judge = (was: number, is: number): number => {
      const others = names.slice(0, 9);
      const before = of([['USD', text(was)], ...others.map((n) => [n, '1'] as const)]);
      const now = of([['USD', text(is)], ...others.map((n) => [n, '1.01'] as const)]);
      return judgeSnapshot(now, before, today).length;
    };
    fc.assert(
      fc.property(units, (value) => {
        expect([judge(value, value * 2), judge(value * 2, value)]).toEqual([1, 1]);
        expect([judge(value, value * 2 - 1), judge(value * 2 - 1, value)]).toEqual([0, 0]);
      }),
    );
  });
});

describe('the gate on many currencies (contract C19)', () => {
  const four = (value: string): string[] => [value, value, value, value];

  it.each([
    ['three that move by over 25 %', ['126', '74', '180']],
    ['four that rise by 25 %', four('125')],
    ['four that fall by 25 %', four('75')],
  ])('passes %s', (_, values) => {
    expect(judgeMoves(...values)).toEqual([]);
  });

  it.each([
    ['four that rise by more', four('125.0001')],
    ['four that fall by more', four('74.9999')],
    ['four that do either', ['130', '70', '130', '70']],
  ])('holds %s', (_, values) => {
    expect(judgeMoves(...values)).toEqual(['4 currencies moved by over 25 % (XAA, XAB, XAC, XAD)']);
  });

  it('applies the limit exactly to values of any digits', () => {
    const units = fc.integer({ min: 1, max: 500_000 });
    const text = (value: number): string => String(value / 10_000);
    const judge = (was: number, is: number): number => {
      const before = of(names.slice(0, 10).map((name) => [name, text(was)]));
      return judgeSnapshot(of(names.slice(0, 10).map((name) => [name, text(is)])), before, today)
        .length;
    };
    fc.assert(
      fc.property(units, (value) => {
        expect([judge(value * 4, value * 5), judge(value * 4, value * 3)]).toEqual([0, 0]);
        fc.pre(value > 1);
        expect([judge(value * 4, value * 5 + 1), judge(value * 4, value * 3 - 1)]).toEqual([1, 1]);
      }),
    );
  });

  it('passes a publication without three currencies, and holds one without four', () => {
    const before = of(
      names.slice(0, 10).map((name) => [name, '100']),
      '2026-11-19',
    );
    const left = (count: number): FxSnapshot =>
      of(names.slice(10 - count, 10).map((n) => [n, '101']));

    expect(judgeSnapshot(left(7), before, today)).toEqual([]);
    expect(judgeSnapshot(left(6), before, today)).toEqual([
      '4 currencies are gone (XAA, XAB, XAC, XAD)',
    ]);
  });

  it('passes any number of new currencies with any values', () => {
    const before = of(
      names.slice(0, 5).map((name) => [name, '100']),
      '2026-11-19',
    );

    expect(judgeSnapshot(of(names.map((name) => [name, '101'])), before, today)).toEqual([]);
  });

  it('does not judge values if no currency of the day before is left', () => {
    const before = of([['USD', '1']], '2026-11-19');

    expect(judgeSnapshot(of([['JPY', '1']]), before, today)).toEqual([]);
  });
});

describe('the gate on a publication that repeats the one before (contract C19)', () => {
  it.each([
    [10, 8],
    [20, 17],
    [29, 26],
    [30, 26],
    [1, 0],
  ])('passes %d values of which %d are unchanged', (count, unchanged) => {
    expect(judgeUnchanged(count, unchanged)).toEqual([]);
  });

  it.each([
    [10, 9],
    [20, 18],
    [29, 27],
    [30, 27],
    [30, 30],
    [1, 1],
  ])('holds %d values of which %d are unchanged', (count, unchanged) => {
    expect(judgeUnchanged(count, unchanged)).toEqual([
      `${unchanged} of ${count} values are those of 2026-11-19`,
    ]);
  });

  it('counts only currencies that both days have', () => {
    const before = of(
      [
        ['AAA', '1'],
        ['BBB', '1'],
        ['CCC', '1'],
      ],
      '2026-11-19',
    );

    const reasons = judgeSnapshot(
      of([
        ['BBB', '1'],
        ['CCC', '1'],
        ['DDD', '5'],
      ]),
      before,
      today,
    );

    expect(reasons).toEqual(['2 of 2 values are those of 2026-11-19']);
  });
});
