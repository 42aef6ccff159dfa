import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';

type Row = {
  readonly category: string;
  readonly treatment: string;
  readonly deduction: boolean | null;
  readonly rate: number | null;
  readonly covers: string | null;
  readonly conditional: boolean;
  readonly erratum: string | null;
  readonly scope: string | null;
};
type Page = {
  readonly rows: readonly Row[];
  readonly ambiguous: boolean | null;
  readonly verdict: Readonly<Record<string, unknown>>;
  readonly errata: readonly string[];
  readonly withoutCodes: readonly string[] | null;
  readonly uncoded: Readonly<Record<string, { readonly rates: readonly number[] }>> | null;
  readonly standard: Readonly<Record<string, number>>;
};

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function ask(query: string): Promise<Page> {
  return JSON.parse((await service().get(`/rates/categories?${query}`)).text) as Page;
}

describe('questions whose answer must not look decided (rule G5)', () => {
  // The second list has rates that rows without a code have; the right one is among them, or TEDB has none at all.
  it.each([
    ['ES', 'cn=4901', [4]],
    ['ES', 'cn=0401', [4]],
    ['ES', 'cn=3004', [4]],
    ['DE', 'cpa=55.10', [7]],
    ['DE', 'cn=854143', [0, 7]],
    ['BE', 'cn=2716', []],
    ['BE', 'cn=2711', []],
    ['PL', 'cn=3004', [8]],
    ['AT', 'cn=3004', []],
    ['IE', 'cn=6111', [0]],
    ['DK', 'cn=4902', []],
    ['SE', 'cn=3004', []],
  ])('%s %s has no row, and names the rates of rows without a code', async (country, code, own) => {
    const { rows, uncoded } = await ask(`country=${country}&${code}`);
    const listed = await ask(`country=${country}&${code}&uncoded=include`);

    expect(rows).toEqual([]);
    expect(uncoded?.[country]?.rates).toEqual(expect.arrayContaining(own));
    expect(listed.rows.length).toBeGreaterThan(0);
    expect(listed.rows.map(({ covers }) => covers)).toEqual(listed.rows.map(() => null));
    const rates = listed.rows.flatMap(({ rate }) => rate ?? []);
    expect([...new Set(rates)].sort((a, b) => a - b)).toEqual(uncoded?.[country]?.rates);
  });

  it.each([
    ['BE', 'cn=0401', ['exempted null whole', 'rate 6 whole']],
    ['DE', 'cn=2201', ['rate 7 part']],
    ['BE', 'cn=4902', ['rate 6 whole', 'zero 0 whole']],
  ])('%s %s is ambiguous, however long the rows match', async (country, code, expected) => {
    const { rows, ambiguous } = await ask(`country=${country}&${code}`);

    const found = rows.map(({ treatment, rate, covers }) => `${treatment} ${rate} ${covers}`);
    expect(found.sort()).toEqual(expected);
    expect(ambiguous).toBe(true);
  });
});

describe('the verdict on a country (rules G5, G13, X7)', () => {
  const depends = (standard: number, ...rates: readonly number[]) => ({
    kind: 'depends',
    rates,
    treatments: ['rate'],
    standard,
  });
  it.each([
    ['FI', 'cn=4901', false, { kind: 'one', rate: 13.5, treatment: 'rate' }, 0],
    ['BE', 'cpa=49.31', true, depends(21, 6), 0],
    ['ES', 'cn=9701', true, depends(21, 10, 21), 1],
    ['ES', 'cpa=93.11', true, depends(21, 10, 21), 1],
    ['ES', 'cn=4901', true, depends(21, 4), 1],
    ['DE', 'cpa=49.31', null, { kind: 'none', standard: 19, uncoded: 10 }, 0],
    ['EL', 'cn=9999', null, { kind: 'none', standard: 24, uncoded: 3 }, 0],
  ])('%s %s', async (country, code, ambiguous, verdict, errata) => {
    const page = await ask(`country=${country}&${code}`);

    const own = country === 'EL' ? 'GR' : country;
    expect(page).toMatchObject({ ambiguous, verdict: { [own]: verdict } });
    expect(Object.keys(page.verdict)).toEqual([own]);
    expect(page.errata).toHaveLength(errata);
    expect(page.withoutCodes).toEqual(country === 'DE' && code.startsWith('cpa') ? ['DE'] : []);
    // An erratum is named in its row, unless TEDB has no such row.
    const named = page.rows.flatMap(({ erratum }) => erratum ?? []);
    expect(named).toEqual(page.rows.length === 0 ? [] : page.errata);
  });

  it('has none for a country alone, and for a category without a code no rows without codes', async () => {
    const all = await ask('country=ES&limit=500');
    const books = await ask('category=LOAN_LIBRARIES&country=ES');

    expect(all).toMatchObject({ verdict: {}, errata: [], uncoded: null, withoutCodes: null });
    expect(all.rows.filter(({ erratum }) => erratum !== null).length).toBeGreaterThan(0);
    expect(books).toMatchObject({ uncoded: null, withoutCodes: null });
    expect(books.errata).toHaveLength(1);
  });
});

describe('rows without a rate, and rows for imports (rules G1, G7)', () => {
  it('has one German row for imports, whose rate is another one, behind all others', async () => {
    const { rows } = await ask('country=DE&limit=500');
    const food = await ask('country=DE&cn=04');
    const depends = { kind: 'depends', rates: [7], treatments: ['rate'], standard: 19 };

    expect(rows.filter(({ scope }) => scope !== null)).toMatchObject([
      { category: 'FOODSTUFFS', rate: 8, scope: 'import' },
    ]);
    expect(food.rows.map(({ rate, scope }) => [rate, scope])).toEqual([
      [7, null],
      [8, 'import'],
    ]);
    expect(food).toMatchObject({ ambiguous: true, verdict: { DE: depends } });
  });
});
