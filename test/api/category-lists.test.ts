import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/platform/values/exact-json.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { shareService } from '../support/start-service.ts';

type Page = {
  readonly version: string;
  readonly rows: readonly Readonly<Record<string, string | readonly string[] | null>>[];
};

const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

async function read<Body = Page>(path: string): Promise<Body> {
  const { status, text } = await service().get(path);
  expect([status, path]).toEqual([200, path]);
  return parseExactJson(text) as Body;
}

describe('GET /rates/categories/list (rule G6)', () => {
  it('has the categories with the number of countries that apply a reduced rate', async () => {
    const { categories, count, version } = await read<{
      version: string;
      count: string;
      categories: { category: string; description: string; countries: string }[];
    }>('/rates/categories/list');

    expect([version, Number(count)]).toEqual(['2026-11-20', categories.length]);
    const names = categories.map(({ category }) => category);
    expect(names).toEqual([...new Set(names)].sort());
    const food = categories.find(({ category }) => category === 'FOODSTUFFS');
    const { rows } = await read('/rates/categories?category=FOODSTUFFS&limit=100');
    const reduced = rows.filter(({ treatment }) => treatment === 'rate' || treatment === 'zero');
    expect(Number(food?.countries)).toBe(new Set(reduced.map(({ country }) => country)).size);
    expect(categories.find(({ category }) => category === 'REGION')?.countries).toBe('0');
  });
});

describe('CSV of goods categories (rule G6, contract C36)', () => {
  it.each([
    ['/rates/categories.csv?category=FOODSTUFFS', 'categories-2026-11-20.csv'],
    ['/rates/2026-11-19/categories.csv?category=FOODSTUFFS', 'categories-2026-11-19.csv'],
  ])('%s has all rows of the JSON', async (path, file) => {
    const answer = await service().get(path);
    const [head = [], ...lines] = parseCsv(answer.text);
    const { rows, version } = await read(`${path.replace('.csv', '')}&limit=500`);

    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${file}"`);
    // Columns of 0.3 follow those of 0.2, and those of 0.4 them.
    const added = ['deduction', 'covers', 'scope', 'conditional', 'inForce', 'erratum'];
    const earlier = Object.keys(rows[0] ?? {}).filter((name) => !added.includes(name));
    const days = ['in_force_from', 'in_force_to'];
    expect(head).toEqual([...earlier, 'version', ...added.slice(0, 4), ...days, 'erratum']);
    expect(lines).toEqual(
      rows.map((row) =>
        head.map((name) => {
          if (days.includes(name)) return '';
          const cell: unknown = name === 'version' ? version : row[name];
          const text = Array.isArray(cell)
            ? cell.join(' ')
            : typeof cell === 'boolean'
              ? String(cell)
              : ((cell as string | null) ?? '');
          return /^[=+\-@]/.test(text) ? `'${text}` : text;
        }),
      ),
    );
  });
});
