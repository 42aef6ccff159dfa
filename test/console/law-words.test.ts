import { describe, expect, it } from 'vitest';
import { convert, currenciesOf, readAmount, ratesUsed } from '../../web/src/law/amount.ts';
import {
  explainDate,
  explainEarlierLaw,
  explainLaw,
  sentenceForInvoice,
} from '../../web/src/law/law-words.ts';
import { type LawFx, pathOf, readQuestion } from '../../web/src/law/laws.ts';
import { listPeriods } from '../../web/src/law/periods.ts';
import type { BankTaxPointRates, TaxPointRates } from '../../web/src/wire.ts';

const poland: BankTaxPointRates = {
  rule: 'vat',
  taxPoint: '2026-03-03',
  issued: null,
  basis: 'day',
  country: 'PL',
  bank: 'nbp',
  date: '2026-03-02',
  table: '041/A/NBP/2026',
  quote: 'PLN',
  rates: { EUR: { units: 1, rate: 4.2304 } },
  legalBasis: 'Polish VAT act, art. 31a(1)',
  inForceSince: null,
};
const czechia: BankTaxPointRates = {
  ...poland,
  taxPoint: '2026-01-03',
  country: 'CZ',
  bank: 'cnb',
  date: '2026-01-02',
  table: null,
  quote: 'CZK',
  rates: { EUR: { units: 1, rate: 24.17 }, HUF: { units: 100, rate: 6.304 } },
  legalBasis: 'Act No 235/2004 Coll., § 4',
  inForceSince: '2004-05-01',
};
const ofEcb: TaxPointRates = {
  rule: 'vat',
  taxPoint: '2026-03-03',
  basis: 'day',
  country: null,
  date: '2026-03-02',
  base: 'EUR',
  rates: { BGN: 1.96, PLN: 4.244, USD: 1.1698 },
  fixed: { BGN: { rate: 1.95583, since: '2026-01-01' } },
  legalBasis: 'Directive 2006/112/EC, art. 91(2)',
  inForceSince: '2013-01-01',
};
const ofEcbInPoland: TaxPointRates = { ...ofEcb, country: 'PL' };

describe('an amount as people write it', () => {
  it.each([
    ['1000', '1000'],
    ['1,000.00', '1000.00'],
    ['1.000,00', '1000.00'],
    ['1 000,5', '1000.5'],
    ["1'234'567.89", '1234567.89'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['0.125', '0.125'],
    ['−19,90', '-19.90'],
    ['1,000', undefined],
    ['1.000', undefined],
    ['1,00,000.00', undefined],
    ['1.000.00', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['9'.repeat(31), undefined],
  ])('%j is %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });
});

describe('an amount in the currency of the return or the invoice', () => {
  it.each<[string, string, LawFx, string | undefined, string | undefined]>([
    ['1000.00', 'USD', ofEcb, '1,000.00 USD = 854.85 EUR', '1,000.00 USD ÷ 1.1698'],
    ['10000', 'BGN', ofEcb, '10,000 BGN = 5,112.92 EUR', '10,000 BGN ÷ 1.95583'],
    ['1000', 'USD', ofEcbInPoland, '1,000 USD = 3,627.97 PLN', '1,000 USD ÷ 1.1698 × 4.244'],
    ['100', 'EUR', ofEcbInPoland, '100 EUR = 424.40 PLN', '100 EUR × 4.244'],
    ['230.00', 'EUR', poland, '230.00 EUR = 972.99 PLN', '230.00 EUR × 4.2304'],
    ['25000', 'HUF', czechia, '25,000 HUF = 1,576.00 CZK', '25,000 HUF × 6.304 ÷ 100'],
    ['1', 'PLN', czechia, undefined, undefined],
    ['1', 'HRK', ofEcb, undefined, undefined],
  ])('of %s %s by the rates of the answer', (amount, currency, answer, result, computation) => {
    const converted = convert(answer, amount, currency);

    expect([converted?.result, converted?.computation]).toEqual([result, computation]);
  });

  it('has the rates that it uses beside it, and every currency that can be converted', () => {
    expect(ratesUsed(ofEcbInPoland, 'USD')).toEqual(['1 EUR = 1.1698 USD', '1 EUR = 4.244 PLN']);
    expect(ratesUsed(czechia, 'HUF')).toEqual(['100 HUF = 6.304 CZK']);
    expect(ratesUsed(ofEcbInPoland, 'HRK')).toEqual([]);
    expect(currenciesOf(ofEcbInPoland)).toEqual(['BGN', 'EUR', 'USD']);
    expect(currenciesOf(ofEcb)).toEqual(['BGN', 'PLN', 'USD']);
  });
});

describe('the periods that are offered', () => {
  const days = { oldest: '1999-01-04', newest: '2026-11-20', today: '2026-11-20' };
  it.each([
    ['oss', days, '2026-Q3', '2015-Q1', 47],
    ['oss', { ...days, newest: '2026-09-30', today: '2026-10-01' }, '2026-Q3', '2015-Q1', 47],
    ['oss', { ...days, newest: '2026-09-30', today: '2026-09-30' }, '2026-Q2', '2015-Q1', 46],
    ['ioss', days, '2026-10', '2021-07', 64],
    ['ioss', { ...days, oldest: '2026-08-03' }, '2026-10', '2026-08', 3],
    ['customs', days, '2026-12', '2016-05', 128],
    ['customs', { ...days, newest: '2026-11-17' }, '2026-11', '2016-05', 127],
  ] as const)('of %s with %j are from %s back to %s', (law, known, newest, oldest, count) => {
    const periods = listPeriods(law, known);

    expect([periods[0], periods.at(-1), periods.length]).toEqual([newest, oldest, count]);
  });
});

describe('the words of an answer', () => {
  it('have the sentence for the invoice', () => {
    const period = { period: '2026-Q1', periodEnd: '', inForceSince: '' };
    const oss = { ...ofEcb, rule: 'oss', ...period } as const;

    expect([poland, czechia, ofEcb, oss].map(sentenceForInvoice)).toEqual([
      'Table 041/A/NBP/2026 of 2026-03-02',
      'CNB rate of 2026-01-02',
      'ECB rate of 2026-03-02',
      undefined,
    ]);
  });

  it('say since when the law holds, or that it is not known, and what a Czech payer has to know', () => {
    const unknown = { ...ofEcb, country: 'CZ', inForceSince: null } as const;

    expect(explainLaw(ofEcb)).toContain('art. 91(2). In force since 1 January 2013. This is');
    for (const answer of [unknown, poland])
      expect(explainLaw(answer)).toContain('Since when it holds is not known here.');
    for (const answer of [unknown, czechia]) expect(explainLaw(answer)).toContain('§ 24');
  });
});

describe('the question of an address', () => {
  it.each([
    ['', '2026-11-20', '/fx/oss/2026-Q3'],
    ['for=oss', '2026-01-02', '/fx/oss/2025-Q4'],
    ['for=oss&period=2023-Q4', '2026-11-20', '/fx/oss/2023-Q4'],
    ['for=oss&period=2023-11', '2026-11-20', '/fx/oss/2026-Q3'],
    ['for=ioss', '2026-01-31', '/fx/ioss/2025-12'],
    ['for=customs', '2026-11-20', '/fx/customs/2026-11'],
    ['for=vat', '2026-11-20', '/fx/vat/2026-11-20'],
    ['for=vat&period=2026-03-01&country=PL', '2026-11-20', '/fx/vat/2026-03-01?country=PL'],
    ['for=oss&country=PL', '2026-11-20', '/fx/oss/2026-Q3'],
    [
      'for=vat&period=2026-03-03&country=PL&issued=2026-02-27',
      '2026-11-20',
      '/fx/vat/2026-03-03?country=PL&issued=2026-02-27',
    ],
    ['for=vat&period=2026-03-03&issued=2026-02-27', '2026-11-20', '/fx/vat/2026-03-03'],
    ['for=toString', '2026-11-20', '/fx/oss/2026-Q3'],
    [
      'for=vat&period=2026-03-03&country=PL&bank=nbp&issued=2026-02-27',
      '2026-11-20',
      '/fx/vat/2026-03-03?country=PL&bank=nbp&issued=2026-02-27',
    ],
    [
      'for=vat&period=2026-03-03&country=CZ&bank=cnb&issued=2026-02-27',
      '2026-11-20',
      '/fx/vat/2026-03-03?country=CZ&bank=cnb',
    ],
    ['for=vat&country=CZ&bank=nbp', '2026-11-20', '/fx/vat/2026-11-20?country=CZ&bank=ecb'],
    ['for=vat&country=DE&bank=nbp', '2026-11-20', '/fx/vat/2026-11-20'],
  ])('%j on %s is %s', (address, newest, path) => {
    const days = { oldest: '2026-01-02', newest, today: newest };
    expect(pathOf(readQuestion(new URLSearchParams(address), days))).toBe(path);
  });
});

describe('the sentence that explains the date', () => {
  const rates = { base: 'EUR' as const, rates: {}, fixed: {}, legalBasis: '', inForceSince: '' };
  it.each<[string, LawFx]>([
    [
      'Q4 2023 ended on Sunday, 31 December 2023, a day without rates, so those of the next day that has some count.',
      {
        rule: 'oss',
        period: '2023-Q4',
        periodEnd: '2023-12-31',
        date: '2024-01-02',
        ...rates,
      },
    ],
    [
      'For January 2026 the penultimate Wednesday of the month before decides, 24 December 2025.',
      {
        rule: 'customs',
        period: '2026-01',
        decidedOn: '2025-12-24',
        date: '2025-12-24',
        ...rates,
      },
    ],
    [
      'For January 2025 the penultimate Wednesday of the month before decides, 25 December 2024. It has no rates, so the newest ones before it count.',
      {
        rule: 'customs',
        period: '2025-01',
        decidedOn: '2024-12-25',
        date: '2024-12-24',
        ...rates,
      },
    ],
    [
      'The day of the tax point, Sunday, 1 March 2026, has no rates, so the newest ones before it count.',
      { ...ofEcb, taxPoint: '2026-03-01', date: '2026-02-27' },
    ],
    [
      'The invoice is issued on Friday, 27 February 2026, before the tax point. In Poland the newest rates before the day of issue count.',
      { ...ofEcbInPoland, issued: '2026-02-27', date: '2026-02-26' },
    ],
    [
      'The tax point is Tuesday, 3 March 2026. In Poland the newest table before that day counts.',
      { ...poland, taxPoint: '2026-03-03', issued: '2026-03-09' },
    ],
    ['The day of the tax point has rates.', { ...czechia, taxPoint: '2026-01-02' }],
    [
      'The day of the tax point, Saturday, 3 January 2026, has no rates of its own: those of Friday, 2 January 2026 are valid until the bank fixes new ones.',
      czechia,
    ],
  ])('is “%s”', (sentence, answer) => {
    expect(explainDate(answer)).toBe(sentence);
  });

  it.each([
    ['2014-Q4', '2015-01-01', 'This law holds since 1 January 2015.'],
    ['2015-Q1', '2015-01-01', undefined],
    ['2021-06', '2021-07-01', 'This law holds since 1 July 2021.'],
    ['2021-07', '2021-07-01', undefined],
  ])('of the period %s and a law of %s adds %j', (period, inForceSince, sentence) => {
    const answer = {
      rule: 'oss',
      period,
      periodEnd: '',
      date: '',
      ...rates,
      inForceSince,
    } as const;

    expect(explainEarlierLaw(answer)?.slice(0, sentence?.length)).toBe(sentence);
  });

  it('adds nothing if it is not known since when the law holds', () => {
    expect(explainEarlierLaw({ ...ofEcb, inForceSince: null })).toBeUndefined();
  });
});
