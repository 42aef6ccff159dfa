import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/platform/exact-json.ts';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';

const service = shareService({
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
});

describe('rateDates and fxDates', () => {
  it('return all stored dates, the oldest first', async () => {
    const client = clientOf(service());
    const { dates, count } = await client.fxDates();

    expect(await client.rateDates()).toEqual({
      dates: ['2026-11-18', '2026-11-19', '2026-11-20'],
      count: 3,
      categoriesFrom: '2026-11-18',
    });
    expect(dates.at(-1)).toBe('2026-11-20');
    expect(dates).toHaveLength(count);
    expect(dates.toSorted()).toEqual(dates);
  });

  it.each([
    [{ from: '2026-11-19' }, ['2026-11-19', '2026-11-20']],
    [{ to: '2026-11-18' }, ['2026-11-18']],
    [{ from: '2026-11-19', to: '2026-11-19' }, ['2026-11-19']],
    [{ from: '2026-11-21' }, []],
  ])('return the dates in %o', async (span, dates) => {
    expect(await clientOf(service()).rateDates(span)).toMatchObject({
      dates,
      count: dates.length,
    });
  });

  it('name the malformed end of a range', async () => {
    expect(await errorOf(clientOf(service()).fxDates({ from: 'yesterday' }))).toMatchObject({
      name: 'InvalidInputError',
      field: 'from',
    });
  });
});

describe('fxRange', () => {
  const span = { from: '2026-11-13', to: '2026-11-20' };

  it('returns the rates of currencies with the published digits', async () => {
    const range = await clientOf(service()).fxRange({ ...span, currencies: ['USD', 'GBP'] });

    const { text } = await service().get(
      '/fx/range?from=2026-11-13&to=2026-11-20&currencies=USD,GBP',
    );
    expect(range).toEqual(parseExactJson(text));
    expect(range.dates).toEqual([
      '2026-11-13',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ]);
    expect(range.rates['USD']?.at(-1)).toBe((await clientOf(service()).fx()).rates['USD']);
  });

  it('takes currencies in any letter case, and caches them as one answer', async () => {
    const client = clientOf(service());
    const upper = await client.fxRange({ ...span, currencies: ['USD', 'GBP'] });
    const before = answeredBy(service()).length;

    expect(await client.fxRange({ ...span, currencies: ['usd', 'Gbp'] })).toEqual(upper);
    expect(answeredBy(service())).toHaveLength(before);
  });

  it('has null for a date without a rate of the currency', async () => {
    const { rates } = await clientOf(service()).fxRange({ ...span, currencies: ['HRK'] });

    expect(rates['HRK']).toEqual(Array(6).fill(null));
  });

  it.each([
    [[]],
    [['US']],
    [Array.from({ length: 11 }, (_, at) => `AA${String.fromCharCode(65 + at)}`)],
  ])('refuses %j as currencies', async (currencies) => {
    expect(await errorOf(clientOf(service()).fxRange({ ...span, currencies }))).toMatchObject({
      name: 'InvalidInputError',
      field: 'currencies',
    });
  });
});

describe('status', () => {
  it('returns the age of the data and the state of the registries', async () => {
    const client = clientOf(service());
    await client.checkVat('DE', '100');

    const status = await client.status();

    expect(status).toMatchObject({
      now: '2026-11-20T16:00:00.000Z',
      demo: false,
      dataSets: {
        rates: { newestVersion: '2026-11-20', publicationsMissed: 0, heldCount: 0 },
        fx: { newestVersion: '2026-11-20', publicationsMissed: 0 },
      },
      memberStates: { DE: { failures: 0, breaker: 'closed' } },
      database: { answering: true },
    });
  });
});
