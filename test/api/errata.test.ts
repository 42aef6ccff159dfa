import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { backfill } from '../support/backfill.ts';
import { addErratum, removeErratum } from '../../src/rates/errata/add-erratum.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';

type Erratum = Readonly<Record<string, unknown>> & {
  readonly country: string;
  readonly field: string;
};

const friday = '2026-11-20T16:00:00Z';
const service = shareService({ lived: [friday] });

async function readErrata(own: TestService, query: string): Promise<Erratum[]> {
  const { text } = await own.get(`/rates/errata${query}`);
  return (JSON.parse(text) as { readonly errata: Erratum[] }).errata;
}

/** Adds an erratum about a day and later ones as an operator does, and waits until the service has read it. */
async function addOpen({ core }: TestService, from = '2026-11-20'): Promise<string> {
  const erratum = { country: 'HU', field: 'standard', from: isoDate(from), to: null };
  const values = { source: '27', law: '26', legalBasis: 'Act CXXVII of 2007', reference: null };
  const by = { at: friday, by: { actor: 'ann@web-1', reason: null } };
  const added = await addErratum(core.db, { ...erratum, ...values }, by);
  await core.watch.poll();
  return added.kind === 'added' ? added.id : added.kind;
}

const spain = (superReduced: number, ...reduced: readonly number[]) => ({
  reduced,
  super_reduced: superReduced,
});

describe('the errata of the program (rule X4)', () => {
  it.each([
    ['DE', '2020-07-01', { standard: 19, reduced: [7] }, { standard: 16, 'reduced[0]': 5 }],
    ['DE', '2020-12-31', { standard: 19, reduced: [7] }, { standard: 16, 'reduced[0]': 5 }],
    ['DE', '2020-06-30', { standard: 19, reduced: [7] }, {}],
    ['DE', '2021-01-01', { standard: 19, reduced: [7] }, {}],
    ['GR', '2016-05-31', { standard: 24 }, { standard: 23 }],
    ['GR', '2016-06-01', { standard: 24 }, {}],
    ['AT', '2020-09-15', { reduced: [10, 13] }, { reduced: [5, 10, 13] }],
    ['AT', '2022-01-01', { reduced: [10, 13] }, {}],
    ['CY', '2021-03-01', { reduced: [5, 8, 9] }, { reduced: [5, 9] }],
    ['CY', '2021-07-01', { reduced: [5, 9] }, {}],
    ['CY', '2023-08-15', { super_reduced: null }, { super_reduced: 3 }],
    ['EE', '2022-10-01', { reduced: [9] }, { reduced: [5, 9] }],
    ['EE', '2023-01-01', { reduced: [5, 9] }, {}],
    ['ES', '2022-10-01', { reduced: [10], super_reduced: 4 }, { reduced: [5, 10] }],
    ['ES', '2023-06-30', { reduced: [10], super_reduced: 4 }, { reduced: [5, 10] }],
    ['ES', '2023-08-15', { reduced: [], super_reduced: null }, spain(4, 5, 10)],
    ['ES', '2024-02-01', { reduced: [10], super_reduced: null }, spain(4, 5, 10)],
    ['ES', '2024-10-01', { reduced: [10], super_reduced: null }, spain(4, 7.5, 10)],
    ['ES', '2025-01-01', { reduced: [10], super_reduced: 4 }, {}],
    ['IE', '2026-11-19', { super_reduced: null }, { super_reduced: 4.8 }],
    ['RO', '2025-09-01', { reduced: [11] }, { reduced: [9, 11] }],
    ['RO', '2026-08-01', { reduced: [11] }, {}],
    ['SK', '2023-03-01', { reduced: [10] }, { reduced: [5, 10] }],
    ['SK', '2023-07-01', { reduced: [5, 10] }, {}],
  ])('of %s on %s: TEDB has %o, the law %o', async (country, date, rates, law) => {
    await backfill(service(), date);

    const answer = await service().get(`/rates/${date}`);
    const errata = await readErrata(service(), `?country=${country}&date=${date}`);

    const published = JSON.parse(answer.text) as { readonly rates: Record<string, object> };
    expect(published.rates[country]).toMatchObject(rates);
    expect(Object.fromEntries(errata.map((one) => [one['field'], one['law']]))).toEqual(law);
    const flat: Readonly<Record<string, unknown>> = {
      ...rates,
      'reduced[0]': 'reduced' in rates ? (rates.reduced[0] ?? null) : null,
    };
    for (const one of errata) expect(one['source']).toEqual(flat[one.field]);
    const ofDay = await readErrata(service(), `?date=${date}`);
    expect(answer.headers['link']).toBe(
      ofDay.length === 0 ? undefined : `</rates/errata?date=${date}>; rel="describedby"`,
    );
  });
});

describe('GET /rates/errata (rule X1)', () => {
  it('lists all by country, day and field, with their citations', async () => {
    const { status, headers, text } = await service().get('/rates/errata');
    const known = { 'if-none-match': headers['etag'] ?? '' };
    expect((await service().get('/rates/errata', known)).status).toBe(304);

    const { errata, count } = JSON.parse(text) as { errata: Erratum[]; count: number };
    expect([status, count]).toEqual([200, errata.length]);
    expect(headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
    const places = errata.map(({ country, from, field }) => `${country} ${String(from)} ${field}`);
    expect(places).toEqual(places.toSorted());
    expect(places).toHaveLength(15);
    expect(text).toContain(
      '"kind":"national","country":"DE","field":"standard","from":"2020-07-01","to":"2020-12-31","source":19,"law":16,' +
        '"legalBasis":"UStG § 28(1) to (3), Zweites Corona-Steuerhilfegesetz","reference":"BGBl. 2020 I p. 1512; ' +
        'UStG § 28(1): https://www.gesetze-im-internet.de/ustg_1980/__28.html","seen":"primary","note":null,"fixedInSource":null}',
    );
  });

  it.each([
    ['?country=de', 2],
    ['?country=EL', 1],
    ['?country=gr', 1],
    ['?country=UK', 0],
    ['?date=2020-09-15', 3],
    ['?date=2020-09-15&kind=national', 3],
    ['?country=DE&kind=goods', 3],
    ['?country=DE&kind=goods&date=2020-09-15', 1],
    ['?country=de&kind=all', 5],
    ['?country=ES&date=2020-09-15', 0],
  ])('%s finds %i', async (query, count) => {
    expect(await readErrata(service(), query)).toHaveLength(count);
  });

  const country = "invalid 'country' — expected 2-letter ISO code";
  it.each([
    ['?country=', country],
    ['?country=DEU', country],
    ['?date=2020-09-15&date=2020-09-16', "invalid 'date' — expected YYYY-MM-DD"],
    ['?on=2020-09-15', "unknown parameter 'on'"],
    ['?kind=wine', "invalid 'kind' — expected national, goods, or all (JSON only)"],
  ])('refuses %s', async (query, error) => {
    const { status, text } = await service().get(`/rates/errata${query}`);

    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it('is a table as /rates/errata.csv (contract C36)', async () => {
    const { headers, text } = await service().get('/rates/errata.csv?country=ES');

    expect(headers['content-disposition']).toBe('attachment; filename="rates-errata.csv"');
    const [titles, ...rows] = parseCsv(text);
    const ofReduced = Object.fromEntries((titles ?? []).map((title, at) => [title, rows[0]?.[at]]));
    expect(ofReduced).toMatchObject({ field: 'reduced', source: '10', law: '5 10', by: '' });
    expect(titles?.at(-1)).toBe('seen');
    expect(rows).toHaveLength(5);
  });
});

describe('/rates with an erratum (rule X2)', () => {
  it('keeps its bytes and its ETag, and has the header in the 304, in CSV, and in the newest rates', async () => {
    // No erratum of the program holds on this day.
    const own = await startService({ lived: ['2022-03-01T16:00:00Z'] });
    const before = await own.get('/rates/2022-03-01');
    // Both are in the response cache without the header.
    expect((await own.get('/rates')).headers).not.toHaveProperty('link');
    expect(before.headers).not.toHaveProperty('link');

    await addOpen(own, '2022-03-01');

    const link = '</rates/errata?date=2022-03-01>; rel="describedby"';
    const after = await own.get('/rates/2022-03-01');
    expect(after.text).toBe(before.text);
    expect(after.headers).toMatchObject({
      link,
      etag: before.headers['etag'],
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const known = { 'if-none-match': before.headers['etag'] ?? '' };
    expect(await own.get('/rates/2022-03-01', known)).toMatchObject({
      status: 304,
      headers: { link },
    });
    expect((await own.get('/rates/2022-03-01.csv')).headers['link']).toBe(link);
    expect((await own.get('/rates')).headers['link']).toBe(link);
  });
});

describe('an erratum that TEDB corrects (rule X6)', () => {
  it('has the version of the first answer that agrees with the law, and stays', async () => {
    const own = await startService({ lived: [friday] });
    const id = await addOpen(own);
    const fixedIn = async (): Promise<unknown> => {
      await own.core.watch.poll();
      return (await readErrata(own, '?country=HU')).map((one) => [
        one['id'],
        one['by'],
        one['fixedInSource'],
      ]);
    };

    expect(await fixedIn()).toEqual([[id, 'operator', null]]);
    await own.liveAt('2026-11-21T16:00:00Z');
    expect(await fixedIn()).toEqual([[id, 'operator', null]]);
    expect(JSON.parse((await own.get('/changes')).text)).toMatchObject({ count: 0 });

    changeRate(own.scenario, 'HU', 'standard', ['26'], '2026-11-22');
    await own.liveAt('2026-11-22T16:00:00Z');
    await own.liveAt('2026-11-23T16:00:00Z');
    expect(await fixedIn()).toEqual([[id, 'operator', '2026-11-22']]);
  });

  it('is noted by a second answer for a published day, which stays as it is', async () => {
    const own = await startService({ lived: [friday] });
    const id = await addOpen(own);
    changeRate(own.scenario, 'HU', 'standard', ['26'], '2026-11-20');

    await own.core.jobs.rates.refreshTo(isoDate('2026-11-20'), 0);
    await own.core.watch.poll();

    const [erratum] = await readErrata(own, '?country=HU');
    expect(erratum?.['fixedInSource']).toBe('2026-11-20');
    expect((await own.get('/rates/2026-11-20')).text).toMatch(/"HU":\{[^}]*"standard":27/);

    // What is removed and added again is not corrected yet.
    const by = { at: friday, by: { actor: 'ann@web-1', reason: null } };
    expect(await removeErratum(own.core.db, id, by)).toBe(true);
    expect(await removeErratum(own.core.db, id, by)).toBe(false);
    await addOpen(own);
    expect(await readErrata(own, '?country=HU')).toMatchObject([{ id, fixedInSource: null }]);
  });

  it('is noted by a backfill, which publishes what TEDB has by now', async () => {
    const own = await startService({ lived: [friday] });
    changeRate(own.scenario, 'DE', 'standard', ['16'], '2020-06-30');
    // A day on which the erratum does not hold.
    await backfill(own, '2020-06-30');
    expect(await readErrata(own, '?country=DE')).toMatchObject([
      { fixedInSource: null },
      { fixedInSource: null },
    ]);

    await backfill(own, '2020-09-15');

    const errata = await readErrata(own, '?country=DE');
    expect(errata.map((one) => [one['field'], one['fixedInSource']])).toEqual([
      ['reduced[0]', null],
      ['standard', '2020-09-15'],
    ]);
    expect((await own.get('/rates/2020-09-15')).headers).toHaveProperty('link');
  });
});
