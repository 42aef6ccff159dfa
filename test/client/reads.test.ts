import { describe, expect, it } from 'vitest';
import { readVatNumber, type VatfxClient } from '../../client/src/index.ts';
import { parseExactJson } from '../../src/platform/values/exact-json.ts';
import { backfill } from '../support/backfill.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { answeredBy, clientOf } from './support/client-of.ts';

const service = shareService({
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25.5'], '2026-11-20'),
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
});

/** The service's answer with each number as text. */
async function textOf(path: string): Promise<unknown> {
  return parseExactJson((await service().get(path)).text);
}

describe('reads (interface 4)', () => {
  const span = { from: '2026-11-13', to: '2026-11-20' };
  const ofSpan = '?from=2026-11-13&to=2026-11-20';
  it.each<[string, (vatfx: VatfxClient) => Promise<unknown>]>([
    ['/rates', async (vatfx) => vatfx.rates()],
    ['/rates/2026-11-19', async (vatfx) => vatfx.rates('2026-11-19')],
    ['/fx', async (vatfx) => vatfx.fx()],
    ['/fx/2026-11-18', async (vatfx) => vatfx.fx('2026-11-18')],
    [
      `/fx/range${ofSpan}&currencies=USD,HRK`,
      async (vatfx) => vatfx.fxRange({ ...span, currencies: ['usd', 'HRK'] }),
    ],
  ])('of %s return the answer with the published digits, frozen', async (path, read) => {
    // Errata are not of the answer (rule X2).
    const { errata: _, ...answer } = (await read(clientOf(service()))) as Record<string, unknown>;

    expect(answer).toEqual(await textOf(path));
    expect(Object.isFrozen(answer['rates'])).toBe(true);
  });

  it.each<[string, (vatfx: VatfxClient) => Promise<unknown>, object]>([
    [
      'the dates of rates',
      async (vatfx) => vatfx.rateDates({ from: '2026-11-19' }),
      { dates: ['2026-11-19', '2026-11-20'], count: 2, categoriesFrom: '2026-11-18' },
    ],
    [
      'the dates of exchange rates',
      async (vatfx) => vatfx.fxDates({ from: '2026-11-14', to: '2026-11-17' }),
      { dates: ['2026-11-16', '2026-11-17'], count: 2 },
    ],
    [
      'rate changes, with the limit that was applied',
      async (vatfx) => vatfx.changes({ since: '2026-11-20', country: 'hu', limit: 1_000 }),
      { changes: [{ field: 'standard', old: '27', new: '25.5' }], count: 1, limit: 200 },
    ],
    [
      'no rate changes of another country',
      async (vatfx) => vatfx.changes({ since: undefined, country: 'at' }),
      { changes: [], count: 0, limit: 50 },
    ],
    [
      'the rate changes of a date',
      async (vatfx) => vatfx.changesOn('2026-11-20'),
      { snapshotDate: '2026-11-20', changes: [{ country: 'HU' }], count: 1 },
    ],
    [
      'the changes of goods on a date',
      async (vatfx) => vatfx.categoryChangesOn('2026-11-20'),
      { snapshotDate: '2026-11-20', changes: [], count: 0 },
    ],
    [
      'the publication before a day without one',
      async (vatfx) => vatfx.fx('2026-11-15', { fallBack: 'previous' }),
      { date: '2026-11-13' },
    ],
    [
      'the territory of a postcode',
      async (vatfx) => vatfx.territories({ country: 'FR', postcode: '97400' }),
      { count: 1, decided: true, territories: [{ code: 'RE', rates: { standard: '8.5' } }] },
    ],
    [
      'a VAT check',
      async (vatfx) => vatfx.checkVat('GR', '100'),
      { countryCode: 'GR', vatNumber: '100', valid: true, name: 'John Doe' },
    ],
    [
      'a VAT check of a number that is not registered',
      async (vatfx) => vatfx.checkVat('EL', '200'),
      { countryCode: 'EL', valid: false, name: null },
    ],
    [
      'a VAT check of a number as it is written',
      async (vatfx) => vatfx.checkVat('AT', 'U 999/999-01'),
      { vatNumber: 'U 999/999-01', valid: true },
    ],
    [
      'a VAT check of a number with its country in one argument',
      async (vatfx) => vatfx.checkVat('EL 999 999 901'),
      { countryCode: 'GR', vatNumber: '999999901', valid: true },
    ],
    [
      'the use of the key, with numbers',
      async (vatfx) => vatfx.usage(),
      { name: 'test', rateLimit: { limit: null, windowSeconds: 60 }, quota: { month: '2026-11' } },
    ],
  ])('return %s', async (_what, read, expected) => {
    expect(await read(clientOf(service()))).toMatchObject(expected);
  });

  it('accepts the result of readVatNumber for a number with its country (rule K2)', async () => {
    const read = readVatNumber('EL 999 999 901', 'DE')!;

    expect(read).toEqual({ countryCode: 'GR', vatNumber: '999999901' });
    expect(await clientOf(service()).checkVat(read.countryCode, read.vatNumber)).toMatchObject({
      ...read,
      valid: true,
    });
  });
});

describe('errata (rule X2)', () => {
  it('are with the rates of a date on which the source is wrong, read once, and with no other', async () => {
    const own = await startService({ lived: ['2020-09-15T16:00:00Z'] });
    const vatfx = clientOf(own);
    const before = answeredBy(own).length;

    const { errata, ...published } = await vatfx.rates('2020-09-15');
    const again = await vatfx.rates('2020-09-15');

    expect(published.rates['DE']).toMatchObject({ standard: '19', reduced: ['7'] });
    expect(errata?.map(({ field, source, law }) => [field, source, law])).toEqual([
      ['reduced', ['10', '13'], ['5', '10', '13']],
      ['reduced[0]', '7', '5'],
      ['standard', '19', '16'],
    ]);
    expect(again.errata).toEqual(errata);
    expect(answeredBy(own).slice(before)).toHaveLength(2);
    expect((await vatfx.errata({ country: 'EL' })).errata).toMatchObject([{ law: '23' }]);
    await backfill(own, '2022-03-01');
    expect(await vatfx.rates('2022-03-01')).not.toHaveProperty('errata');
  });
});

describe('goods categories (rules G3 to G6)', () => {
  it('are returned page by page, and listed with counts as numbers', async () => {
    const vatfx = clientOf(service());
    const query = { country: 'at', territories: 'include' } as const;

    const latest = await vatfx.categories(query);
    const dated = await vatfx.categories({ ...query, date: '2026-11-19', limit: 1 });
    const next = await vatfx.categories({ ...query, limit: 1, cursor: dated.nextCursor ?? '' });
    const { categories, count } = await vatfx.categoryList();

    expect(latest).toMatchObject({ version: '2026-11-20', standard: { AT: '20' } });
    expect(latest.rows.map(({ rate }) => rate)).toContain('10');
    expect(dated).toMatchObject({ version: '2026-11-19', count: 1, rows: [{ country: 'AT' }] });
    expect(next.rows).toEqual([latest.rows[1]]);
    expect(categories).toHaveLength(count);
    expect(categories).toContainEqual(
      expect.objectContaining({ category: 'REGION', countries: 0 }),
    );
  });
});

describe('status', () => {
  it('has the age of the data and the state of the registries', async () => {
    const client = clientOf(service());
    await client.checkVat('DE', '100');

    expect(await client.status()).toMatchObject({
      now: '2026-11-20T16:00:00.000Z',
      demo: false,
      dataSets: { rates: { newestVersion: '2026-11-20', publicationsMissed: 0, heldCount: 0 } },
      memberStates: { DE: { failures: 0, breaker: 'closed' } },
      database: { answering: true },
    });
  });
});

it.each(['/vat', '/vat/'])('a service below the path %s is queried below it', async (path) => {
  const { apiUrl } = service();
  const requested: string[] = [];
  const client = clientOf(service(), {
    url: `https://shop.example${path}`,
    fetch: async (request, init) => {
      const { href, pathname } = new URL(request as string);
      requested.push(href);
      return fetch(apiUrl + pathname.replace('/vat', ''), init);
    },
  });

  await client.fx();

  expect(requested).toEqual(['https://shop.example/vat/fx']);
});
