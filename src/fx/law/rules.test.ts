import { describe, expect, it } from 'vitest';
import { parseMonth, parseQuarter, type Period } from './periods.ts';
import { nameDayOfCustoms, nameDayOfReturn } from './rules.ts';

const monthOf = (text: string): Period => parseMonth(text) as Period;

describe('periods (legal-fx L5)', () => {
  it.each([
    ['2023-Q1', '2023-01-01', '2023-03-31'],
    ['2024-Q2', '2024-04-01', '2024-06-30'],
    ['2023-Q3', '2023-07-01', '2023-09-30'],
    ['9999-Q4', '9999-10-01', '9999-12-31'],
    ['2023-02', '2023-02-01', '2023-02-28'],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['0001-12', '0001-12-01', '0001-12-31'],
  ])('%s is from %s to %s', (period, first, last) => {
    const parse = period.includes('Q') ? parseQuarter : parseMonth;

    expect(parse(period)).toEqual({ period, first, last });
  });

  const refused: readonly (readonly [string, (text: string) => unknown, string[]])[] = [
    [
      'quarter',
      parseQuarter,
      ['2024-Q5', '2024-Q0', '2024Q1', '0000-Q1', ' 2024-Q1', '2024-Q1\n', '2024-01', ''],
    ],
    [
      'month',
      parseMonth,
      ['2024-13', '2024-00', '2024-1', '0000-01', '12024-01', '2024-01\n', '2024-Q1', ''],
    ],
  ];
  it.each(refused)('no %s is anything else', (_, parse, texts) => {
    expect(texts.filter((text) => parse(text) !== undefined)).toEqual([]);
  });
});

describe('the day that a law names (legal-fx L1)', () => {
  it('is the last day of the period of a return, and forward from there', () => {
    const quarter = parseQuarter('2024-Q1') as Period;

    expect(nameDayOfReturn(quarter)).toEqual({ date: '2024-03-31', otherwise: 'next' });
  });

  it.each([
    ['the month ends on a Tuesday', '2026-04', '2026-03-18'],
    ['the month ends on a Wednesday', '2026-10', '2026-09-23'],
    ['the month ends on a Thursday', '2026-05', '2026-04-22'],
    ['the month has five Wednesdays', '2026-01', '2025-12-24'],
    ['February has 28 days', '2023-03', '2023-02-15'],
  ])('is the penultimate Wednesday for customs: %s', (_what, month, date) => {
    expect(nameDayOfCustoms(monthOf(month))).toEqual({ date, otherwise: 'previous' });
  });
});
