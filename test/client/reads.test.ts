import { describe, expect, it } from 'vitest';
import { readVatNumber } from '../../client/src/index.ts';
import { parseExactJson } from '../../src/platform/exact-json.ts';
import { shareService, startService } from '../support/start-service.ts';
import { answeredBy, clientOf } from './support/client-of.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const service = shareService({
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25.5'], '2026-11-20'),
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
});

/** The service's answer with each number as text. */
async function textOf(path: string): Promise<unknown> {
  return parseExactJson((await service().get(path)).text);
}

describe('rates (interface 4.1)', () => {
  it('returns the newest rates with the published digits', async () => {
    const snapshot = await clientOf(service()).rates();

    expect(snapshot).toEqual(await textOf('/rates'));
    expect(snapshot.version).toBe('2026-11-20');
    expect(snapshot.rates['HU']?.standard).toBe('25.5');
    expect(snapshot.rates['AT']).toMatchObject({ country: 'Austria', reduced: ['10', '13'] });
  });

  it('returns the rates of a date', async () => {
    const snapshot = await clientOf(service()).rates('2026-11-19');

    expect(snapshot).toEqual(await textOf('/rates/2026-11-19'));
    expect(snapshot.rates['HU']?.standard).toBe('27');
  });

  it('have the errata of a date on which the source is wrong, read once (rule X2)', async () => {
    const own = await startService({ lived: ['2020-09-15T16:00:00Z'] });
    const vatfx = clientOf(own);
    const before = answeredBy(own).length;

    const { errata, ...published } = await vatfx.rates('2020-09-15');
    const again = await vatfx.rates('2020-09-15');

    expect(published.rates['DE']).toMatchObject({ standard: '19', reduced: ['7'] });
    expect(errata?.map(({ field, source, law }) => [field, source, law])).toEqual([
      ['reduced[0]', '7', '5'],
      ['standard', '19', '16'],
    ]);
    expect(again.errata).toEqual(errata);
    expect(answeredBy(own).slice(before)).toHaveLength(2);
    expect((await vatfx.errata({ country: 'EL' })).errata).toMatchObject([{ law: '23' }]);
    expect((await vatfx.rates()).errata).toEqual(errata);
  });

  it('have no errata on another date', async () => {
    expect(await clientOf(service()).rates()).not.toHaveProperty('errata');
  });

  it('returns frozen objects', async () => {
    const { rates } = await clientOf(service()).rates();

    expect(Object.isFrozen(rates)).toBe(true);
    expect(Object.isFrozen(rates['AT']?.reduced)).toBe(true);
  });
});

describe('categories (rules G3 to G6)', () => {
  it('returns the rows of a category of the newest date and of a date', async () => {
    const vatfx = clientOf(service());
    const query = { country: 'at', territories: 'include' } as const;

    const latest = await vatfx.categories(query);
    const dated = await vatfx.categories({ ...query, date: '2026-11-19', limit: 1 });

    expect(latest).toMatchObject({ version: '2026-11-20', standard: { AT: '20' } });
    expect(latest.rows.map(({ rate }) => rate)).toContain('10');
    expect(dated).toMatchObject({ version: '2026-11-19', count: 1, rows: [{ country: 'AT' }] });
    const next = await vatfx.categories({ ...query, limit: 1, cursor: dated.nextCursor ?? '' });
    expect(next.rows).toEqual([latest.rows[1]]);
  });

  it('returns the list of categories, with counts as numbers', async () => {
    const { categories, count } = await clientOf(service()).categoryList();

    expect(categories).toHaveLength(count);
    expect(categories.find(({ category }) => category === 'REGION')).toMatchObject({
      countries: 0,
    });
  });

  it('returns the changes of a date', async () => {
    const changes = await clientOf(service()).categoryChangesOn('2026-11-20');

    expect(changes).toEqual({ snapshotDate: '2026-11-20', changes: [], count: 0 });
  });

  it('returns the oldest date with rows', async () => {
    expect((await clientOf(service()).rateDates()).categoriesFrom).toBe('2026-11-18');
  });
});

describe('territories (rule G8)', () => {
  it('returns the territory of a postcode, with rates as text', async () => {
    const vatfx = clientOf(service());

    const found = await vatfx.territories({ country: 'FR', postcode: '97400' });

    expect(found).toMatchObject({ count: 1, decided: true, territories: [{ code: 'RE' }] });
    expect(found.territories[0]?.rates?.standard).toBe('8.5');
    expect((await vatfx.territories()).count).toBeGreaterThan(40);
  });
});

describe('changes (interface 4.2, 4.3)', () => {
  it('returns rate changes, with counts as numbers', async () => {
    const list = await clientOf(service()).changes();

    expect(list).toMatchObject({ count: 1, limit: 50 });
    expect(list.changes).toMatchObject([
      { country: 'HU', field: 'standard', old: '27', new: '25.5', snapshotDate: '2026-11-20' },
    ]);
  });

  it.each([
    [{ country: 'hu' }, 1],
    [{ country: 'at' }, 0],
    [{ since: '2026-11-20' }, 1],
    [{ since: '2026-11-21' }, 0],
    [{ since: '2026-11-20', country: 'HU', limit: 1 }, 1],
    [{ since: undefined, country: undefined, limit: undefined }, 1],
  ])('filters by %o', async (query, count) => {
    expect(await clientOf(service()).changes(query)).toMatchObject({ count });
  });

  it('returns the limit that was applied', async () => {
    expect(await clientOf(service()).changes({ limit: 1_000 })).toMatchObject({ limit: 200 });
  });

  it('returns all rate changes of a date', async () => {
    const client = clientOf(service());

    expect(await client.changesOn('2026-11-20')).toMatchObject({
      snapshotDate: '2026-11-20',
      changes: [{ country: 'HU' }],
      count: 1,
    });
    expect(await client.changesOn('2026-11-19')).toMatchObject({ changes: [], count: 0 });
  });
});

describe('fx (interface 4.4)', () => {
  it.each([
    ['the newest rates', undefined, '/fx'],
    ['the rates of a date', '2026-11-18', '/fx/2026-11-18'],
  ])('returns %s with the published digits', async (_what, date, path) => {
    expect(await clientOf(service()).fx(date)).toEqual(await textOf(path));
  });

  it('returns the publication before a day without one if fallBack is `previous`', async () => {
    const { date } = await clientOf(service()).fx('2026-11-15', { fallBack: 'previous' });

    expect(date).toBe('2026-11-13');
  });
});

describe('checkVat (interface 4.5)', () => {
  it('returns the answer of the registry', async () => {
    expect(await clientOf(service()).checkVat('GR', '100')).toEqual({
      countryCode: 'GR',
      vatNumber: '100',
      requestDate: '2026-11-20+01:00',
      valid: true,
      name: 'John Doe',
      address: '123 Main St, Anytown, UK',
    });
  });

  it('returns `valid: false` for a number that is not registered', async () => {
    expect(await clientOf(service()).checkVat('EL', '200')).toMatchObject({
      countryCode: 'EL',
      valid: false,
      name: null,
    });
  });

  it('sends a number as it is written', async () => {
    const { vatNumber, valid } = await clientOf(service()).checkVat('AT', 'U 999/999-01');

    expect([vatNumber, valid]).toEqual(['U 999/999-01', true]);
  });

  it('accepts the result of readVatNumber for a number with its country (rule K2)', async () => {
    const read = readVatNumber('EL 999 999 901', 'DE');

    expect(read).toEqual({ countryCode: 'GR', vatNumber: '999999901' });
    expect(
      await clientOf(service()).checkVat(read?.countryCode ?? '', read?.vatNumber ?? ''),
    ).toMatchObject({ ...read, valid: true });
  });
});

describe('usage (contract C26)', () => {
  it('returns the limits of the key as numbers', async () => {
    const usage = await clientOf(service()).usage();

    expect(usage).toMatchObject({
      name: 'test',
      expiresAt: null,
      rateLimit: { limit: null, remaining: null, windowSeconds: 60 },
      quota: { limit: null, month: '2026-11', resetsAt: '2026-12-01T00:00:00.000Z' },
    });
    expect(typeof usage.quota.used).toBe('number');
  });
});

describe('a service below a path', () => {
  it.each(['/vat', '/vat/'])('is queried below %s', async (path) => {
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
});
