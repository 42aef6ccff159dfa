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
      legalBasis:
        'Directive 2006/112/EC, art. 369h(2) (Union scheme), art. 366(2) (non-Union scheme)',
      inForceSince: '2015-01-01',
    });
    expect(Object.isFrozen(rates.fixed)).toBe(true);
  });

  it('of an IOSS return and of a customs month name the publication', async () => {
    const client = clientOf(service());

    expect(await client.fxIoss('2026-10')).toMatchObject({
      rule: 'ioss',
      periodEnd: '2026-10-31',
      date: '2026-11-02',
      fixed: {},
    });
    expect(await client.fxCustoms('2026-12')).toMatchObject({
      rule: 'customs',
      decidedOn: '2026-11-18',
      date: '2026-11-18',
    });
  });

  it.each([
    ['2026-11-15', undefined, 'day', '2026-11-13'],
    ['2026-11-18T15:59:59+01:00', undefined, 'instant', '2026-11-17'],
    ['2026-11-18T15:00:00Z', undefined, 'instant', '2026-11-18'],
    ['2026-11-18', 'PL', 'day', '2026-11-17'],
  ] as const)('of the tax point %s in country %s', async (taxPoint, country, basis, date) => {
    expect(await clientOf(service()).fxVat(taxPoint, { country })).toMatchObject({
      rule: 'vat',
      taxPoint,
      basis,
      country: country ?? null,
      date,
    });
  });
});

describe('the day of issue (rule N5)', () => {
  it('is sent, and decides if it is before the tax point', async () => {
    const options = { country: 'PL', issued: '2026-11-13' } as const;

    expect(await clientOf(service()).fxVat('2026-11-18', options)).toMatchObject({
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

  it('uses the irrevocable rate of a currency that became the euro, in both directions', async () => {
    const client = clientOf(service());
    const rule = { rule: 'oss', period: '2022-Q4' } as const;

    // 10000 / 7.5345 = 1327.22808…, 100 × 7.5345 = 753.45.
    expect(await client.convert('10000', 'HRK', 'EUR', rule)).toEqual({
      amount: '1327.23',
      currency: 'EUR',
      isExact: false,
      date: '2023-01-02',
    });
    expect(await client.convert(100, 'EUR', 'HRK', rule)).toMatchObject({
      amount: '753.45',
      isExact: true,
    });
  });

  it.each<[FxRule, string, string]>([
    // 10000 / 7.5345; the publication of 2022-12-30 still has a rate of the kuna.
    [{ rule: 'vat', taxPoint: '2023-01-01' }, 'HRK', '1327.23'],
    [{ rule: 'customs', period: '2026-01' }, 'BGN', '5112.92'],
    [{ rule: 'vat', taxPoint: '2026-01-02' }, 'BGN', '5112.92'],
    [{ rule: 'vat', taxPoint: '2026-11-18', country: 'PL' }, 'BGN', '5112.92'],
  ])(
    'uses it before a published one, and after it is published no more: %o',
    async (rule, currency, amount) => {
      const client = clientOf(service());

      expect(await client.convert('10000', currency, 'EUR', rule)).toMatchObject({ amount });
    },
  );

  it('knows no rate of that currency for a later period', async () => {
    const call = clientOf(service()).convert('1', 'HRK', 'EUR', { rule: 'oss', period: '2026-Q3' });

    expect(await errorOf(call)).toMatchObject({ name: 'UnknownCurrencyError', currency: 'HRK' });
  });

  it('rounds as every conversion does', async () => {
    const options = { rule: 'oss', period: '2022-Q4', decimals: 4, rounding: 'down' } as const;

    expect((await clientOf(service()).convert('10000', 'HRK', 'EUR', options)).amount).toBe(
      '1327.2280',
    );
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

  it('caches the rates, because they never change', async () => {
    const client = clientOf(service());
    await client.fxOss('2026-Q3');
    const before = answeredBy(service()).length;

    await client.convert('1', 'USD', 'EUR', { rule: 'oss', period: '2026-Q3' });

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

  it.each([
    ...quarters.map((period) => ['oss', 'period', period, 'YYYY-Qn'] as const),
    ...months.map((period) => ['ioss', 'period', period, 'YYYY-MM'] as const),
    ...months.map((period) => ['customs', 'period', period, 'YYYY-MM'] as const),
    ...taxPoints.map(
      (taxPoint) =>
        ['vat', 'taxPoint', taxPoint, 'YYYY-MM-DD or an instant with an offset'] as const,
    ),
    ['moss', 'rule', undefined, 'oss, ioss, customs or vat'] as const,
  ])('of %s: %s %j is refused without a request', async (rule, field, value, expected) => {
    const before = answeredBy(service()).length;
    const options = { rule, period: value, taxPoint: value } as unknown as ConvertOptions;

    expect(await errorOf(clientOf(service()).convert('1', 'USD', 'EUR', options))).toMatchObject({
      name: 'InvalidArgumentError',
      message: `invalid '${field}' — expected ${expected}`,
    });
    expect(answeredBy(service())).toHaveLength(before);
  });

  it('that is not in the calendar is refused by the service', async () => {
    const client = clientOf(service());

    for (const call of [client.fxOss('2024-Q5'), client.fxIoss('2024-13')]) {
      expect(await errorOf(call)).toMatchObject({ name: 'InvalidInputError', field: 'period' });
    }
    expect(await errorOf(client.fxVat('2024-02-30'))).toMatchObject({ field: 'taxPoint' });
  });
});
