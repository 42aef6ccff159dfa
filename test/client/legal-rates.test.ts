import { describe, expect, it } from 'vitest';
import { convertAmount, type ConvertOptions, type FxRule } from '../../client/src/index.ts';
import { parseExactJson } from '../../client/src/exact-json.ts';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';

/** 17:00 in Frankfurt on a Friday; the kuna became the euro within the history. */
const service = shareService({ lived: ['2026-11-20T16:00:00Z'], fxFrom: '2022-12-01' });

describe('the rates that a law chooses (legal-fx L1 to L3)', () => {
  it('of an OSS return are those of the service, with fixed rates as text', async () => {
    const rates = await clientOf(service()).fxOss('2022-Q4');

    const { text } = await service().get('/fx/oss/2022-Q4');
    expect(rates).toEqual(parseExactJson(text));
    expect(rates).toMatchObject({
      rule: 'oss',
      period: '2022-Q4',
      periodEnd: '2022-12-31',
      date: '2023-01-02',
      fixed: { HRK: { rate: '7.5345', since: '2023-01-01' } },
      inForceSince: '2015-01-01',
    });
    expect(Object.isFrozen(rates.fixed)).toBe(true);
  });

  it('of an IOSS return, a customs month and a day of issue name the publication (rule N5)', async () => {
    const client = clientOf(service());
    const issued = { country: 'PL', issued: '2026-11-13' } as const;

    expect(await client.fxIoss('2026-10')).toMatchObject({ rule: 'ioss', date: '2026-11-02' });
    expect(await client.fxCustoms('2026-12')).toMatchObject({ decidedOn: '2026-11-18' });
    expect(await client.fxVat('2026-11-18', issued)).toMatchObject({
      issued: '2026-11-13',
      date: '2026-11-12',
      legalBasis: 'Polish VAT act, art. 31a(2)',
    });
  });
});

describe('convert with a rule (legal-fx L7)', () => {
  it.each<[FxRule, string]>([
    [{ rule: 'oss', period: '2026-Q3' }, '2026-09-30'],
    [{ rule: 'ioss', period: '2026-10' }, '2026-11-02'],
    [{ rule: 'customs', period: '2026-12' }, '2026-11-18'],
    [{ rule: 'vat', taxPoint: '2026-11-15' }, '2026-11-13'],
    [{ rule: 'vat', taxPoint: '2026-11-18', country: 'PL' }, '2026-11-17'],
  ])('uses the publication of %o', async (rule, date) => {
    const client = clientOf(service());
    const request = { amount: '1000000', from: 'USD', to: 'EUR' };

    const converted = await client.convert('1000000', 'usd', 'eur', rule);

    expect(converted).toEqual(convertAmount(await client.fx(date), request));
    expect(converted.date).toBe(date);
  });

  it.each<[FxRule & object, string, string, string]>([
    // 10000 / 7.5345 = 1327.22808…; the publication of 2022-12-30 still has a rate of the kuna.
    [{ rule: 'oss', period: '2022-Q4' }, 'HRK', 'EUR', '1327.23'],
    [{ rule: 'oss', period: '2022-Q4' }, 'EUR', 'HRK', '75345.00'],
    [{ rule: 'vat', taxPoint: '2023-01-01' }, 'HRK', 'EUR', '1327.23'],
    [{ rule: 'customs', period: '2026-01' }, 'BGN', 'EUR', '5112.92'],
    [{ rule: 'vat', taxPoint: '2026-01-02' }, 'BGN', 'EUR', '5112.92'],
    [{ rule: 'vat', taxPoint: '2026-11-18', country: 'PL' }, 'BGN', 'EUR', '5112.92'],
  ])(
    'uses the irrevocable rate of a currency that became the euro: %o, %s to %s',
    async (rule, from, to, amount) => {
      expect(await clientOf(service()).convert('10000', from, to, rule)).toMatchObject({ amount });
    },
  );

  it('knows no rate of that currency for a later period', async () => {
    const call = clientOf(service()).convert('1', 'HRK', 'EUR', { rule: 'oss', period: '2026-Q3' });

    expect(await errorOf(call)).toMatchObject({ name: 'UnknownCurrencyError', currency: 'HRK' });
  });

  it.each([
    ['date', { date: '2026-09-30' }],
    ['fallBack', { fallBack: 'previous' }],
  ])('refuses %s beside a rule, without a request', async (field, other) => {
    const before = answeredBy(service()).length;
    const options = { rule: 'oss', period: '2026-Q3', ...other } as unknown as ConvertOptions;

    expect(await errorOf(clientOf(service()).convert('1', 'USD', 'EUR', options))).toMatchObject({
      name: 'InvalidArgumentError',
      field,
    });
    expect(answeredBy(service())).toHaveLength(before);
  });
});

describe('a rate that is not certain yet (legal-fx L4)', () => {
  it('is a NotFoundError with the time to wait, without a retry', async () => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service()).fxOss('2026-Q4'));

    expect(error).toMatchObject({
      name: 'NotFoundError',
      code: 'fx rate not published yet',
      previousDate: undefined,
    });
    expect((error as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(86_400);
    expect(answeredBy(service()).slice(before)).toEqual(['404 /fx/oss/:period']);
  });
});

describe('a malformed period or tax point (legal-fx L5)', () => {
  const quarters = ['2023', '2023-12', '2023-Q4.csv', '../fx', '2023-q4', undefined];
  const months = ['2023-Q4', '2023-1', '2023-12.csv', '2023-12-01', '', undefined];
  const taxPoints = ['2026-03-02T10:00:00', '2026-03-01.csv', '2026-03', 'now', undefined];
  const instant = 'YYYY-MM-DD or an instant with an offset';

  it.each<[string, string, (string | undefined)[], string]>([
    ['oss', 'period', quarters, 'YYYY-Qn'],
    ['ioss', 'period', months, 'YYYY-MM'],
    ['customs', 'period', months, 'YYYY-MM'],
    ['vat', 'taxPoint', taxPoints, instant],
    ['moss', 'rule', [undefined], 'oss, ioss, customs or vat'],
  ])('of %s: a %s of %j is refused without a request', async (rule, field, values, expected) => {
    const before = answeredBy(service()).length;
    const message = `invalid '${field}' — expected ${expected}`;

    for (const value of values) {
      const options = { rule, period: value, taxPoint: value } as unknown as ConvertOptions;
      const call = clientOf(service()).convert('1', 'USD', 'EUR', options);
      expect(await errorOf(call)).toMatchObject({ name: 'InvalidArgumentError', message });
    }
    expect(answeredBy(service())).toHaveLength(before);
  });
});

describe('the rates of national banks (rule N14)', () => {
  const at = '2026-03-03T15:00:00Z';
  const banks = shareService({
    at,
    fxFrom: '2026-02-02',
    config: { fxBanks: ['nbp', 'cnb'] },
    lived: ['2026-03-02T15:00:00Z', at],
  });
  const poland = { rule: 'vat', taxPoint: '2026-03-03', country: 'PL', bank: 'nbp' } as const;
  const czechia = { rule: 'vat', taxPoint: '2026-03-03', country: 'CZ', bank: 'cnb' } as const;

  it.each([
    ['230.00', 'EUR', 'PLN', poland, '972.99', '2026-03-02', '041/A/NBP/2026'],
    ['10000', 'HUF', 'PLN', poland, '111.55', '2026-03-02', '041/A/NBP/2026'],
    // 6.279 CZK for 100 forint: 12345 × 6.279 ÷ 100 = 775.14255.
    ['12345', 'HUF', 'CZK', czechia, '775.14', '2026-03-03', null],
  ] as const)('convert %s %s to %s with %o', async (sum, from, to, rule, amount, date, table) => {
    const converted = await clientOf(banks()).convert(sum, from, to, rule);
    expect(converted).toMatchObject({ amount, currency: to, date, table });
  });

  it.each([
    ['PLN', 'EUR', 'to'],
    ['EUR', 'USD', 'to'],
    ['PLN', 'PLN', 'from'],
  ])('have no rate of %s in %s', async (from, to, field) => {
    const error = await errorOf(clientOf(banks()).convert('1', from, to, poland));
    expect(error).toMatchObject({ name: 'InvalidArgumentError', field });
  });

  it.each([
    [
      'AED',
      'PLN',
      poland,
      '2026-03-02',
      'the NBP publishes one, it is in its table B, once a week',
    ],
    [
      'HRK',
      'PLN',
      poland,
      '2026-03-02',
      'the NBP publishes one, it is in its table B, once a week',
    ],
    [
      'VND',
      'CZK',
      czechia,
      '2026-03-03',
      'the CNB publishes one, it is in its rates of other currencies, once a month',
    ],
  ] as const)(
    'have no rate of %s in %s, and say where one may be',
    async (from, to, rule, date, where) => {
      const error = await errorOf(clientOf(banks()).convert('1', from, to, rule));
      const message = `no rate of ${from} on ${date}: if ${where}`;
      expect(error).toMatchObject({ name: 'UnknownCurrencyError', currency: from, message });
    },
  );

  it('are read with their units and digits, of a date and for a tax point', async () => {
    const client = clientOf(banks());
    const published = await client.fxBank('nbp', '2026-03-02');
    const ofTaxPoint = await client.fxVat('2026-03-03', { country: 'PL', bank: 'nbp' });

    expect(published.rates['HUF']).toEqual({ units: 1, rate: '0.011155' });
    expect((await client.fxBank('cnb')).rates['HUF']?.units).toBe(100);
    const span = { from: '2026-03-01', to: '2026-03-31' };
    expect((await client.fxBankDates('nbp', span)).dates).toContain('2026-03-02');
    expect(ofTaxPoint).toMatchObject({ ...published, issued: null, country: 'PL' });
  });
});
