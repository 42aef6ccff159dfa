import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import { costOf, parseCurrencies, printRange, selectRange } from './range.ts';

const years = [
  {
    dates: ['"2025-12-30"', '"2025-12-31"'],
    cells: new Map([
      ['BGN', '1.9558,1.9558'],
      ['USD', '1.1,1.20'],
    ]),
  },
  { dates: ['"2026-01-02"', '"2026-01-05"'], cells: new Map([['USD', '1912400,1.4']]) },
];

describe('printRange', () => {
  const all = '2025-12-30 2025-12-31 2026-01-02 2026-01-05';
  const turn = '2025-12-31 2026-01-02';
  it.each([
    ['2025-01-01', '2026-12-31', all, '1.1,1.20,1912400,1.4', '1.9558,1.9558,null,null'],
    ['2025-12-31', '2025-12-31', '2025-12-31', '1.20', '1.9558'],
    ['2025-12-31', '2026-01-02', turn, '1.20,1912400', '1.9558,null'],
    ['2026-01-03', '2026-01-09', '2026-01-05', '1.4', 'null'],
    ['2026-01-03', '2026-01-04', '', '', ''],
    ['2026-01-06', '2026-12-31', '', '', ''],
    ['2026-01-05', '2025-12-30', '', '', ''],
  ])('prints the span from %s to %s', (from, to, dates, usd, bgn) => {
    const currencies = parseCurrencies('USD,bgn') ?? [];

    const range = { from: isoDate(from), to: isoDate(to), currencies };
    const text = printRange(selectRange(years, range), range);

    const quoted = dates === '' ? '' : `"${dates.replaceAll(' ', '","')}"`;
    expect(text).toBe(
      `{"base":"EUR","from":"${from}","to":"${to}","dates":[${quoted}],` +
        `"rates":{"USD":[${usd}],"BGN":[${bgn}]}}`,
    );
  });
});

describe('costOf', () => {
  const newest = isoDate('2026-11-20');

  it.each([
    ['a day', '2026-11-20', '2026-11-20', 1],
    ['400 days', '2025-10-17', '2026-11-20', 1],
    ['401 days', '2025-10-16', '2026-11-20', 2],
    ['all of the history', '1999-01-04', '2026-11-20', 26],
    ['a span far beyond the history', '0001-01-01', '9999-12-31', 26],
    ['a span before the history', '0001-01-01', '1998-12-31', 1],
    ['a span after the newest publication', '2027-01-01', '2099-12-31', 1],
    ['a span that ends before it begins', '2026-11-20', '1999-01-04', 1],
  ])('counts %s', (_what, from, to, cost) => {
    expect(costOf({ from: isoDate(from), to: isoDate(to), currencies: [] }, newest)).toBe(cost);
  });

  it('counts one request if no day is published', () => {
    const range = { from: isoDate('1999-01-04'), to: newest, currencies: [] };
    expect(costOf(range, undefined)).toBe(1);
  });
});
