import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDate } from '../../test/support/arbitraries.ts';
import { parseChangeQuery } from './change-query.ts';

const parse = (parameters: Readonly<Record<string, unknown>>) => parseChangeQuery(parameters);
const none = { since: undefined, country: undefined, limit: 50 };

describe('parseChangeQuery (interface 4.2, contract C6)', () => {
  it('returns the newest 50 of all countries without parameters', () => {
    expect(parse({})).toEqual({ kind: 'query', query: none });
  });

  it('ignores unknown parameters', () => {
    expect(parse({ from: 'x', Limit: '-1' })).toEqual({ kind: 'query', query: none });
  });

  it.each([
    ['since', '2026-02-28', { since: '2026-02-28' }],
    ['country', 'HU', { country: 'HU' }],
    ['country', 'hu', { country: 'HU' }],
    ['country', 'zz', { country: 'ZZ' }],
    ['country', 'EL', { country: 'GR' }],
    ['country', 'uk', { country: 'UK' }],
    ['limit', '1', { limit: 1 }],
    ['limit', '200', { limit: 200 }],
    ['limit', '201', { limit: 200 }],
    ['limit', '007', { limit: 7 }],
    ['limit', '9'.repeat(400), { limit: 200 }],
  ])('reads %s=%s', (parameter, text, expected) => {
    expect(parse({ [parameter]: text })).toEqual({
      kind: 'query',
      query: { ...none, ...expected },
    });
  });

  it.each([
    ['since', ''],
    ['since', '2026-02-30'],
    ['since', '2026-2-3'],
    ['since', '2026-11-20T00:00:00Z'],
    ['country', ''],
    ['country', 'H'],
    ['country', 'HUN'],
    ['country', 'H1'],
    ['country', 'ſt'],
    ['country', 'hu '],
    ['limit', ''],
    ['limit', '0'],
    ['limit', '000'],
    ['limit', '-1'],
    ['limit', '+1'],
    ['limit', '1.0'],
    ['limit', '1e2'],
    ['limit', 'ten'],
    ['limit', '5\n'],
    ['limit', '５'],
  ])('rejects %s=%j', (parameter, text) => {
    expect(parse({ [parameter]: text })).toEqual({ kind: 'invalid', parameter });
  });

  it.each(['since', 'country', 'limit'])('rejects %s if it is given twice', (parameter) => {
    const good = { since: '2026-11-20', country: 'HU', limit: '5' }[parameter];

    expect(parse({ [parameter]: [good, good] })).toEqual({ kind: 'invalid', parameter });
  });

  it('checks since first, then country, then limit', () => {
    expect(parse({ limit: '0', country: 'x', since: 'x' })).toMatchObject({
      parameter: 'since',
    });
    expect(parse({ limit: '0', country: 'x' })).toMatchObject({ parameter: 'country' });
  });

  it('reads every date and every limit, and clamps a limit above 200', () => {
    fc.assert(
      fc.property(anyDate, fc.bigInt({ min: 1n, max: 10n ** 30n }), (since, limit) => {
        expect(parse({ since, limit: String(limit) })).toEqual({
          kind: 'query',
          query: { since, country: undefined, limit: limit > 200n ? 200 : Number(limit) },
        });
      }),
    );
  });
});
