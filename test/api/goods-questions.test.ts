import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';

type Row = {
  readonly category: string;
  readonly treatment: string;
  readonly deduction: boolean | null;
  readonly rate: number | null;
  readonly covers: string | null;
  readonly scope: string | null;
};
type Page = {
  readonly rows: readonly Row[];
  readonly ambiguous: boolean;
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
    ['BE', 'cn=2716', [6]],
    ['BE', 'cn=2711', [6]],
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

describe('rows without a rate, and rows for imports (rules G1, G7)', () => {
  it('has one German row for imports, whose rate is another one, behind all others', async () => {
    const { rows } = await ask('country=DE&limit=500');
    const food = await ask('country=DE&cn=04');

    expect(rows.filter(({ scope }) => scope !== null)).toMatchObject([
      { category: 'FOODSTUFFS', rate: 8, scope: 'import' },
    ]);
    expect(food.rows.map(({ rate, scope }) => [rate, scope])).toEqual([
      [7, null],
      [8, 'import'],
    ]);
    expect(food.ambiguous).toBe(false);
  });
});
