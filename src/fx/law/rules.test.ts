import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import { parseMonth, parseQuarter, type Period } from './periods.ts';
import {
  applyTaxPointRule,
  nameDayOfCustoms,
  nameDayOfReturn,
  parseTaxPoint,
  type TaxPoint,
} from './rules.ts';
import { parseCountryWithoutBank } from './national-rules.ts';

const monthOf = (text: string): Period => parseMonth(text) as Period;
const pointOf = (text: string): TaxPoint => parseTaxPoint(text) as TaxPoint;

describe('periods and tax points (legal-fx L5)', () => {
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
    [
      'tax point',
      parseTaxPoint,
      (
        '2026-02-29 2026-02-29T10:00:00Z 2026-03-02T10:00:00 2026-03-02T25:00:00Z ' +
        '2026-03-02T10:00:00.1234567890Z 2026-03-02T10:00:00+0100 ' +
        'x2026-03-02T10:00:00Z 2026-03-02T10:00:00Zx'
      ).split(' '),
    ],
  ];
  it.each(refused)('no %s is anything else', (_, parse, texts) => {
    expect(texts.filter((text) => parse(text) !== undefined)).toEqual([]);
  });

  it('a tax point is a day or a moment', () => {
    expect(pointOf('2026-03-01')).toEqual({ basis: 'day', day: '2026-03-01' });
    expect(pointOf('2026-03-02T10:00:00.5+01:00')).toEqual({
      basis: 'instant',
      atMs: Date.parse('2026-03-02T09:00:00.500Z'),
    });
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

  it.each([
    ['2026-03-01', null, '2026-03-01'],
    ['2026-03-01', 'PL', '2026-02-28'],
    ['2026-03-02T16:00:00+01:00', null, '2026-03-02'],
    ['2026-03-02T15:59:59+01:00', null, '2026-03-01'],
    ['2026-07-01T14:00:00Z', null, '2026-07-01'],
    ['2026-07-01T13:59:59Z', null, '2026-06-30'],
    ['2026-07-01T22:00:00Z', 'PL', '2026-07-01'],
    ['2026-07-01T21:59:59Z', 'PL', '2026-06-30'],
  ] as const)('of %s (%s) is %s, and backward from there', (point, country, date) => {
    const supply = { taxPoint: pointOf(point), country, bank: 'ecb', issued: null } as const;

    expect(applyTaxPointRule(supply).named).toEqual({
      date: isoDate(date),
      otherwise: 'previous',
    });
  });

  it.each([
    ['before the tax point', '2026-03-03', '2026-02-27', '2026-02-26', 'art. 31a(2)'],
    ['on the day', '2026-03-03', '2026-03-03', '2026-03-02', 'art. 31a(1), second sentence'],
    ['after it', '2026-03-03', '2026-03-04', '2026-03-02', 'art. 31a(1), second sentence'],
    [
      'before an instant, by the day in Poland',
      '2026-03-02T23:30:00Z',
      '2026-03-02',
      '2026-03-01',
      'art. 31a(2)',
    ],
  ])('of an invoice that Poland sees issued %s', (_what, point, issued, date, article) => {
    const rule = applyTaxPointRule({
      taxPoint: pointOf(point),
      country: 'PL',
      bank: 'ecb',
      issued: isoDate(issued),
    });

    expect([rule.named.date, rule.day]).toEqual([date, '2026-03-03']);
    expect(rule.law.legalBasis).toBe(`Polish VAT act, ${article}`);
  });

  it.each([
    ['2025-12-31T22:59:59Z', null, '2025-12-31'],
    ['2025-12-31T23:00:00Z', null, '2026-01-01'],
    ['2025-12-31T23:00:00Z', 'PL', '2026-01-01'],
  ] as const)('the day of the instant %s (%s) is %s', (point, country, day) => {
    const supply = { taxPoint: pointOf(point), country, bank: 'ecb', issued: null } as const;

    expect(applyTaxPointRule(supply).day).toBe(day);
  });

  it('without a bank knows the rule of Poland and of no other country', () => {
    expect(parseCountryWithoutBank('PL')).toBe('PL');
    for (const other of ['pl', 'CZ', 'DE', '', 'toString']) {
      expect(parseCountryWithoutBank(other)).toBeUndefined();
    }
  });
});
