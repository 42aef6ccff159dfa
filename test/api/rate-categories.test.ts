import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/platform/values/exact-json.ts';
import { startService, shareService } from '../support/start-service.ts';

type Page = {
  readonly version: string;
  readonly rows: readonly Readonly<Record<string, string | readonly string[] | null>>[];
  readonly count: string;
  readonly ambiguous: boolean | null;
  readonly uncoded: Readonly<
    Record<string, { readonly rows: string; readonly rates: string[] }>
  > | null;
  readonly standard: Readonly<Record<string, string>>;
  readonly nextCursor: string | null;
};

const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';
const service = shareService({ lived: [thursday, friday] });

async function read<Body = Page>(path: string): Promise<Body> {
  const { status, text } = await service().get(path);
  expect([status, path]).toEqual([200, path]);
  return parseExactJson(text) as Body;
}

describe('GET /rates/categories (rules G3 to G5)', () => {
  it('has the rows of the latest snapshot, with the fields in order', async () => {
    const { text } = await service().get('/rates/categories?country=AT&category=LOAN_LIBRARIES');
    const page = parseExactJson(text) as Page;

    expect(Object.keys(page)).toEqual([
      'version',
      'source',
      'rows',
      'count',
      'ambiguous',
      'verdict',
      'errata',
      'uncoded',
      'withoutCodes',
      'standard',
      'nextCursor',
    ]);
    expect(page).toMatchObject({
      version: '2026-11-20',
      uncoded: null,
      withoutCodes: null,
      standard: { AT: '20' },
      nextCursor: null,
    });
    const row = page.rows.find(({ rate }) => rate === '20');
    expect(Object.keys(row ?? {}).join(' ')).toBe(
      'country category description kind treatment deduction rate cn_codes cpa_codes matched covers conditional inForce erratum comment territory scope situation_on',
    );
    expect(row).toMatchObject({ kind: 'reduced', comment: 'Taxed at the standard rate.' });
  });

  it('has the same bytes as the dated list, which is immutable', async () => {
    const [latest, dated] = [
      await service().get('/rates/categories?country=be'),
      await service().get('/rates/2026-11-20/categories?country=BE'),
    ];

    expect(latest.text).toBe(dated.text);
    expect(latest.headers['cache-control']).toBe(
      (await service().get('/rates')).headers['cache-control'],
    );
    expect(dated.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(dated.headers['etag']).toBe(latest.headers['etag']);
    expect(dated.headers['etag']).toMatch(/^"[\w-]{27}"$/);
    const again = await service().get('/rates/2026-11-20/categories?country=BE', {
      'if-none-match': String(dated.headers['etag']),
    });
    expect(again.status).toBe(304);
  });

  it('finds a code that a row has, however it is written, in every country', async () => {
    const all = await read('/rates/categories?category=FOODSTUFFS&limit=100');
    const code = all.rows[0]?.['cn_codes']?.[0] ?? '';
    const spaced = `ex ${code.slice(0, 4)}\u00A0${code.slice(4, 6)}-${code.slice(6)}`;

    const page = await read(`/rates/categories?cn=${encodeURIComponent(spaced)}`);

    expect(page.rows[0]).toMatchObject({ matched: code });
    expect(Object.keys(page.standard)).toHaveLength(27);
    expect(await read(`/rates/categories?cn=${code}`)).toEqual(page);
  });

  it('says that CN 4902 in Belgium is ambiguous: 6 and a zero rate, which the comments tell apart', async () => {
    const page = await read('/rates/categories?country=BE&cn=4902');

    expect(page).toMatchObject({ ambiguous: true, count: '2', standard: { BE: '21' } });
    expect(page.rows).toMatchObject([
      {
        category: 'LOAN_LIBRARIES',
        kind: 'reduced',
        treatment: 'rate',
        rate: '6',
        matched: '4902',
      },
      { category: 'LOAN_LIBRARIES', kind: null, treatment: 'zero', rate: '0', matched: '4902' },
    ]);
  });

  it('answers a code without rows with the standard rate, and an unknown category with no row', async () => {
    const none = { rows: [], count: '0', ambiguous: null };

    expect(await read('/rates/categories?country=DE&cn=9999')).toMatchObject({
      ...none,
      standard: { DE: '19' },
    });
    expect(await read('/rates/categories?category=NO_SUCH_THING')).toMatchObject(none);
  });

  it('has rows for territories only if they are asked for (rule G7)', async () => {
    const without = await read('/rates/categories?category=REGION');
    const with_ = await read('/rates/categories?category=region&territories=include');
    const all = await read('/rates/categories?country=AT&limit=500');

    expect(without.rows).toEqual([]);
    expect(with_.rows.map(({ country, territory }) => [country, territory].join(' '))).toContain(
      'AT Jungholz, Mittelberg',
    );
    expect(all.rows.filter(({ territory }) => territory !== null)).toEqual([]);
  });
});

describe('pages of /rates/categories (rule G3)', () => {
  it('together have every row once', async () => {
    const whole = await read('/rates/categories?category=foodstuffs&limit=500');
    const rows: unknown[] = [];
    let cursor: string | null = '';

    do {
      const page: Page = await read(
        `/rates/categories?category=FOODSTUFFS&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      rows.push(...page.rows);
      expect(page.ambiguous).toBe(whole.ambiguous);
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(rows).toEqual(whole.rows);
    expect(rows.length).toBeGreaterThan(1);
  });

  it('stay those of one date while another snapshot is published', async () => {
    const own = await startService({ lived: [thursday] });
    const get = async (path: string): Promise<Page> =>
      JSON.parse((await own.get(path)).text) as Page;
    const first = await get('/rates/categories?category=FOODSTUFFS&limit=1');

    await own.liveAt(friday);
    const second = await get(
      `/rates/categories?category=FOODSTUFFS&limit=1&cursor=${first.nextCursor}`,
    );

    expect([first.version, second.version]).toEqual(['2026-11-19', '2026-11-19']);
    expect((await get('/rates/categories?category=FOODSTUFFS&limit=1')).version).toBe('2026-11-20');
  });
});

describe('parameters of /rates/categories (rule G3)', () => {
  const need = "invalid 'country' — expected at least one of country, category, cn, cpa";
  const country = "invalid 'country' — expected a Member State";
  const category = "invalid 'category' — expected letters, digits and underscores, e.g. FOODSTUFFS";
  const cn = "invalid 'cn' — expected 2, 4, 6, 8 or 10 digits";
  const uncoded = "invalid 'uncoded' — expected include, with cn or cpa";
  const cpa = "invalid 'cpa' — expected a CPA code such as 58.11.3";
  const cursor = "invalid 'cursor' — expected nextCursor of an earlier page";
  const encoded = (text: string): string => Buffer.from(text).toString('base64url');

  it.each([
    ['', need],
    ['limit=5', need],
    ['country=', country],
    ['country=US', country],
    ['country=BE&country=BE', country],
    ['category=', category],
    ['category=a%20b', category],
    ['cn=', cn],
    ['cn=4', cn],
    ['cn=4011010', cn],
    ['cn=49a', cn],
    ['cn=49&cn=50', cn],
    ['cpa=', cpa],
    ['cpa=58.', cpa],
    ['cpa=58.11.3.1', cpa],
    ['cpa=FF', cpa],
    ['country=BE&uncoded=include', uncoded],
    ['cn=49&uncoded=yes', uncoded],
    ['country=BE&territories=yes', "invalid 'territories' — expected include"],
    ['country=BE&limit=0', "invalid 'limit' — expected positive integer"],
    ['country=BE&cursor=x', cursor],
    ['country=BE&cursor=', cursor],
    [`country=BE&cursor=${encoded('2026-02-30 5')}`, cursor],
    [`country=BE&cursor=${encoded('2020-01-01 5')}`, cursor],
    ['country=BE&x=1', "unknown parameter 'x'"],
  ])('refuses ?%s', async (query, error) => {
    const { status, text } = await service().get(`/rates/categories?${query}`);

    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it('refuses a cursor of another date in a dated path, and clamps a limit above 500', async () => {
    const path = `/rates/2026-11-19/categories?country=BE&cursor=${encoded('2026-11-20 5')}`;

    expect(JSON.parse((await service().get(path)).text)).toEqual({ error: cursor });
    expect((await read('/rates/categories?cn=04&limit=99999999999')).nextCursor).toBeNull();
  });

  it.each(['5811', 'J58.11', ' j5811 '])('reads the CPA code %j', async (cpa) => {
    const page = await read(`/rates/categories?cpa=${encodeURIComponent(cpa)}`);

    expect(page.count).not.toBe('0');
    expect(page).toEqual(await read('/rates/categories?cpa=58.11'));
  });
});

describe('dates of /rates/<date>/categories (rule G3)', () => {
  it('a date without a snapshot links to the nearest snapshots, as /rates/<date> does', async () => {
    const path = '/rates/2026-11-21/categories?country=BE';
    const { status, headers, text } = await service().get(path);

    expect([status, text]).toEqual([404, '{"error":"snapshot not found"}']);
    expect(headers['link']).toBe((await service().get('/rates/2026-11-21')).headers['link']);
    expect((await service().get('/rates/2026-02-30/categories?country=BE')).status).toBe(400);
  });

  it('a snapshot from before goods categories were kept has none', async () => {
    const own = await startService({ lived: [thursday, friday] });
    await own.core.db.deleteFrom('rate_categories').where('version', '=', '2026-11-19').execute();

    const { status, text } = await own.get('/rates/2026-11-19/categories?country=BE');

    expect([status, text]).toEqual([404, '{"error":"no categories for this date"}']);
    expect(JSON.parse((await own.get('/rates/dates?to=2026-11-19')).text)).toEqual({
      dates: ['2026-11-19'],
      count: 1,
      categoriesFrom: '2026-11-20',
    });
  });

  it('nothing is answered before the first snapshot', async () => {
    const own = await startService();

    expect((await own.get('/rates/categories?country=BE')).text).toBe('{"error":"no data yet"}');
    expect((await own.get('/rates/categories/list')).text).toBe('{"error":"no data yet"}');
    expect((await own.get('/rates/dates')).text).toBe(
      '{"dates":[],"count":0,"categoriesFrom":null}',
    );
  });
});
