import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

/** One row of Hungary and one of Sweden. */
const service = shareService({
  script: (scenario) => {
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
    changeRate(scenario, 'SE', 'standard', ['24'], '2026-11-19');
  },
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z'],
});

/** What `test/fields` shows of a value is here shown of a URL. */
describe('the parameters of GET /changes (interface 4.2 and 8, contract C6)', () => {
  const expected = {
    since: 'YYYY-MM-DD',
    country: '2-letter ISO code',
    limit: 'positive integer',
  } as const;
  /** Queries with a good value: none of it, twice, twice with an escape, not UTF-8, a broken escape, blanks. */
  const spoil = (name: string, good: string): string[] => {
    const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
    const one = `${name}=${good}`;
    const twice = [`${one}&${one}`, `${one}&${escaped}=${good}`];
    return [`${name}=`, name, ...twice, `${one}%ff`, `${one}%`, `${one}+`, `${name}=+${good}`];
  };
  const refused = [
    ...spoil('since', '2026-11-20'),
    ...spoil('country', 'HU'),
    ...spoil('limit', '5'),
  ];

  it.each(refused)('are refused: ?%s', async (query) => {
    const { status, text } = await service().get(`/changes?${query}`);

    const name = /^\w+/.exec(query)?.[0] as keyof typeof expected;
    const error = `invalid '${name}' — expected ${expected[name]}`;
    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it.each([
    ['since=2024-02-29', 2, 50],
    ['since=9999-12-31', 0, 50],
    ['since=%32026%2D11%2D19', 2, 50],
    ['country=hU', 1, 50],
    ['country=%48U', 1, 50],
    ['country=ZZ', 0, 50],
    ['country=EL', 0, 50],
    ['limit=1', 1, 1],
    ['limit=%37', 2, 7],
    ['limit=201', 2, 200],
    [`limit=${'9'.repeat(400)}`, 2, 200],
    [`limit=${'0'.repeat(4_000)}1`, 1, 1],
    // Unknown names, also of the prototype, and malformed ones are ignored.
    ['foo=1&foo=2&page=%zz&%zz=1&=&&&', 2, 50],
    ['SINCE=never&Country=HUN&LIMIT=0', 2, 50],
    ['since[]=never&country[0]=HUN&limit[]=0&limit%20=0', 2, 50],
    ['__proto__=1&constructor=2&toString=3', 2, 50],
    ['?limit=0', 2, 50],
  ])('are read: ?%s', async (query, count, limit) => {
    const { text } = await service().get(`/changes?${query}`);

    const changes = expect.toSatisfy((rows: unknown[]) => rows.length === count) as unknown;
    expect(JSON.parse(text)).toEqual({ changes, count, limit });
  });
});
