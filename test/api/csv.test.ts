import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/platform/values/exact-json.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import type { Answer } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { addCaller, strip, usedBy } from './support/caller.ts';

const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

function script(scenario: Scenario): void {
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
}

const type = 'text/csv; charset=utf-8; header=present';
const span = 'from=2026-11-16&to=2026-11-20';
const wide = `${span}&currencies=USD,bgn,JPY`;

/** Every path with CSV, beside that of the same data as JSON, with the name of the file. */
const pairs: [csv: string, json: string, file: string][] = [
  ['/rates.csv', '/rates', 'rates-2026-11-20'],
  ['/rates/2026-11-19.csv', '/rates/2026-11-19', 'rates-2026-11-19'],
  ['/rates/errata.csv', '/rates/errata', 'rates-errata'],
  ['/changes.csv', '/changes', 'changes'],
  ['/changes.csv?since=2026-11-20&limit=1', '/changes?since=2026-11-20&limit=1', 'changes'],
  ['/fx.csv', '/fx', 'fx-2026-11-20'],
  ['/fx/2026-11-19.csv', '/fx/2026-11-19', 'fx-2026-11-19'],
  [`/fx/range.csv?${wide}`, `/fx/range?${wide}`, 'fx-range-2026-11-16-2026-11-20'],
];

describe('CSV (contract C36)', () => {
  const service = shareService({ script, lived: [thursday, friday] });
  const rowsOf = async (path: string): Promise<string[][]> =>
    parseCsv((await service().get(path)).text);
  const exactly = async <T>(path: string): Promise<T> =>
    parseExactJson((await service().get(path)).text) as T;

  it.each(pairs)(
    '%s has the cache policy of %s, a file name, and an ETag of its own',
    async (csv, json, file) => {
      const [answer, twin] = [await service().get(csv), await service().get(json)];
      const { etag } = answer.headers;
      const ask = async (tag: unknown) => service().get(csv, { 'if-none-match': String(tag) });
      const own = await ask(etag);

      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.headers['cache-control']).toBe(twin.headers['cache-control']);
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="${file}.csv"`);
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      expect([answer.headers['vary'], twin.headers['content-disposition']]).toEqual([
        undefined,
        undefined,
      ]);
      expect([own.status, own.text, own.headers['etag']]).toEqual([304, '', etag]);
      expect(own.headers['content-disposition']).toBeUndefined();
      expect((await ask(twin.headers['etag'])).status).toBe(200);
    },
  );

  it.each(pairs)('%s does not depend on Accept, and has the same headers for HEAD', async (csv) => {
    const headers = { authorization: `Bearer ${service().key}` };
    const plain = strip(await service().get(csv));
    const head = await service().sendRequest({ method: 'HEAD', path: csv, headers });

    expect(strip(await service().get(csv, { accept: 'application/json' }))).toEqual(plain);
    expect(strip(head)).toEqual({ ...plain, text: '' });
  });

  it.each(pairs)('%s is charged as %s is', async (csv, json) => {
    const [one, other] = [await addCaller(service()), await addCaller(service())];

    for (const _ of [1, 2]) await one.get(csv);
    for (const _ of [1, 2]) await other.get(json);

    expect(await usedBy(one)).toEqual(await usedBy(other));
    expect(await usedBy(one)).toEqual([2, 2]);
  });

  it('charges a range for each 400 days', async () => {
    const caller = await addCaller(service());

    await caller.get('/fx/range.csv?from=1999-01-04&to=2026-11-20&currencies=USD');

    expect(await usedBy(caller)).toEqual([26, 26]);
  });

  it.each([
    ['/rates/2026-13-01.csv', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/.csv', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/2026-11-20.CSV', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/2026-11-20.csv.csv', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/2026-11-21.csv', 404, 'snapshot not found'],
    ['/changes.csv?limit=0', 400, "invalid 'limit' — expected positive integer"],
    ['/changes.csv?since=x', 400, "invalid 'since' — expected YYYY-MM-DD"],
    ['/changes/2026-11-20.csv', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/dates.csv', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/categories/list.csv', 404, 'not found'],
    ['/fx/2026-11-15.csv', 404, 'fx snapshot not found'],
    ['/fx/range.csv', 400, "invalid 'from' — expected YYYY-MM-DD"],
    ['/usage.csv', 404, 'not found'],
    ['/rates.csv/2026-11-20', 404, 'not found'],
  ])('%s is %i "%s", as JSON', async (path, status, error) => {
    expect(formOf(await service().get(path))).toEqual(errorForm(status, error));
  });

  it('links a 404 to the neighbours as CSV (contract C10)', async () => {
    const linkOf = ({ headers }: Answer): unknown => headers['link'];

    expect(linkOf(await service().get('/fx/2026-11-15.csv'))).toBe(
      '</fx/2026-11-13.csv>; rel="prev", </fx/2026-11-16.csv>; rel="next"',
    );
    expect(linkOf(await service().get('/rates/2026-11-21.csv'))).toBe(
      '</rates/2026-11-20.csv>; rel="prev"',
    );
  });

  it('/rates.csv has the rates of the JSON', async () => {
    type Entry = Record<string, string | null> & { reduced: string[] };
    const body = await exactly<{ version: string; rates: Record<string, Entry> }>('/rates');

    const [headings, ...rows] = await rowsOf('/rates.csv');

    expect(headings?.join()).toBe(
      'country,name,currency,standard,reduced,super_reduced,parking,version',
    );
    expect(rows).toHaveLength(27);
    expect(rows).toEqual(
      Object.entries(body.rates).map(([code, entry]) => [
        code,
        entry['country'],
        entry['currency'],
        entry['standard'],
        entry.reduced.join(' '),
        entry['super_reduced'] ?? '',
        entry['parking'] ?? '',
        body.version,
      ]),
    );
  });

  it('/changes.csv has the rows of the JSON, in their order', async () => {
    const { changes } = await exactly<{ changes: Record<string, string | null>[] }>('/changes');

    const [headings, ...rows] = await rowsOf('/changes.csv');

    expect(headings?.join()).toBe('id,snapshotDate,country,field,old,new,detectedAt');
    expect(rows).toEqual(changes.map((row) => Object.values(row).map((value) => value ?? '')));
  });

  it('/fx.csv has the rates of the JSON', async () => {
    const { date, rates } = await exactly<{ date: string; rates: Record<string, string> }>('/fx');

    expect(await rowsOf('/fx.csv')).toEqual([
      ['date', 'currency', 'rate'],
      ...Object.entries(rates).map(([currency, rate]) => [date, currency, rate]),
    ]);
  });

  it('/fx/range.csv has a row for each date and a column for each currency', async () => {
    const { dates, rates } = await exactly<{
      dates: string[];
      rates: Record<string, (string | null)[]>;
    }>(`/fx/range?${wide}`);

    expect(await rowsOf(`/fx/range.csv?${wide}`)).toEqual([
      ['date', 'USD', 'BGN', 'JPY'],
      ...dates.map((date, at) => [
        date,
        ...['USD', 'BGN', 'JPY'].map((code) => rates[code]?.[at] ?? ''),
      ]),
    ]);
  });
});

describe('CSV over time (contract C8, C9, C36)', () => {
  it('is 404 before the first publication', async () => {
    const empty = await startService();

    expect(formOf(await empty.get('/rates.csv'))).toEqual(errorForm(404, 'no data yet'));
    expect(formOf(await empty.get('/fx.csv'))).toEqual(errorForm(404, 'no fx data yet'));
  });

  it('follows a publication, and has the same bytes after a restart', async () => {
    const service = await startService({ script, lived: [thursday] });
    const before = await service.get('/rates.csv');
    await service.liveAt(friday);
    const after = await service.get('/rates.csv');

    await service.restart();

    expect(before.text).toContain(',2026-11-19\r\n');
    expect(after.text).toContain(',2026-11-20\r\n');
    expect(strip(await service.get('/rates.csv'))).toEqual(strip(after));
    expect((await service.get('/rates/2026-11-19.csv')).text).toBe(before.text);
  });
});
