import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import { applyTaxPointRule, parseTaxPoint, type TaxPoint } from './tax-points.ts';

const pointOf = (text: string): TaxPoint => parseTaxPoint(text) as TaxPoint;

describe('a tax point (legal-fx L5)', () => {
  it('is no other text', () => {
    const texts = (
      '2026-02-29 2026-02-29T10:00:00Z 2026-03-02T10:00:00 2026-03-02T25:00:00Z ' +
      '2026-03-02T10:00:00.1234567890Z 2026-03-02T10:00:00+0100 ' +
      'x2026-03-02T10:00:00Z 2026-03-02T10:00:00Zx'
    ).split(' ');
    expect(texts.filter((text) => parseTaxPoint(text) !== undefined)).toEqual([]);
  });

  it('is a day or a moment', () => {
    expect(pointOf('2026-03-01')).toEqual({ basis: 'day', day: '2026-03-01' });
    expect(pointOf('2026-03-02T10:00:00.5+01:00')).toEqual({
      basis: 'instant',
      atMs: Date.parse('2026-03-02T09:00:00.500Z'),
    });
  });
});

describe('the day that a law names for a tax point (legal-fx L1)', () => {
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
});
