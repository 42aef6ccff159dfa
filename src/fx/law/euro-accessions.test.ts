import { describe, expect, it } from 'vitest';
import { hasCaptures, readJsonCapture, unlessAbsent } from '../../../test/real-input/captures.ts';
import { parseDecimal } from '../../platform/values/decimal.ts';
import { isoDate } from '../../platform/time/time.ts';
import { euroAccessions, findFixed } from './euro-accessions.ts';

describe('currencies that became the euro (legal-fx L3)', () => {
  it.each([
    ['on the day after the period', '2022-10-01', '2023-01-02', ['HRK 7.5345']],
    ['two on the same day', '2007-10-01', '2008-01-02', ['CYP 0.585274', 'MTL 0.4293']],
    ['on the day of the publication', '2022-10-01', '2023-01-01', ['HRK 7.5345']],
    ['none on the first day of the period', '2023-01-01', '2023-03-31', []],
    ['none after the publication', '2025-10-01', '2025-12-31', []],
    [
      'all of earlier days, by name',
      null,
      '2008-01-01',
      ['CYP 0.585274', 'GRD 340.75', 'MTL 0.4293', 'SIT 239.64'],
    ],
    ['none before the first', null, '2000-12-31', []],
  ])('are fixed: %s', (_what, after, through, expected) => {
    const found = findFixed({
      after: after === null ? null : isoDate(after),
      through: isoDate(through),
    });

    expect(found.map(({ currency, rate }) => `${currency} ${rate}`)).toEqual(expected);
  });

  it.skipIf(!hasCaptures)(`are those of the regulations${unlessAbsent}`, () => {
    const { currencies } = readJsonCapture('euro-accessions.json') as {
      readonly currencies: readonly Readonly<Record<string, string>>[];
    };

    expect(euroAccessions.map(({ currency, rate, since }) => ({ currency, rate, since }))).toEqual(
      currencies.map(({ code, rate = '', euroSince }) => ({
        currency: code,
        rate: parseDecimal(rate),
        since: euroSince,
      })),
    );
    for (const [at, { source }] of euroAccessions.entries()) {
      expect(`Council ${source}`.replace(', OJ', ' OJ')).toBe(
        `${currencies[at]?.['regulation']} ${currencies[at]?.['oj']}`,
      );
    }
  });
});
