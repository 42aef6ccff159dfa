import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time.ts';
import { parseCurrencies, printRange } from './range.ts';

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
  it.each([
    [
      'that is all of it',
      '2025-01-01',
      '2026-12-31',
      '2025-12-30 2025-12-31 2026-01-02 2026-01-05',
      '1.1,1.20,1912400,1.4',
      '1.9558,1.9558,null,null',
    ],
    ['of one day', '2025-12-31', '2025-12-31', '2025-12-31', '1.20', '1.9558'],
    [
      'over the turn of a year',
      '2025-12-31',
      '2026-01-02',
      '2025-12-31 2026-01-02',
      '1.20,1912400',
      '1.9558,null',
    ],
    ['from a day without a publication', '2026-01-03', '2026-01-09', '2026-01-05', '1.4', 'null'],
    ['between publications', '2026-01-03', '2026-01-04', '', '', ''],
    ['after all', '2026-01-06', '2026-12-31', '', '', ''],
    ['that ends before it begins', '2026-01-05', '2025-12-30', '', '', ''],
  ])('prints a span %s', (_what, from, to, dates, usd, bgn) => {
    const currencies = parseCurrencies('USD,bgn') ?? [];

    const text = printRange(years, { from: isoDate(from), to: isoDate(to), currencies });

    const quoted = dates === '' ? '' : `"${dates.replaceAll(' ', '","')}"`;
    expect(text).toBe(
      `{"base":"EUR","from":"${from}","to":"${to}","dates":[${quoted}],` +
        `"rates":{"USD":[${usd}],"BGN":[${bgn}]}}`,
    );
  });
});
