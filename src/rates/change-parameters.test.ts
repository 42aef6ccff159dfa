import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDate } from '../../test/support/arbitraries.ts';
import { readAs } from '../platform/http/routes/read-request.ts';
import { listChanges } from './definitions.ts';

const none = { since: undefined, country: undefined, limit: 50 };
const { read } = readAs(listChanges);
const readQuery = (query: object) => read({ params: {}, query });
const refused = (name: string): string => `invalid '${name}' — expected`;

describe('the parameters of /changes (interface 4.2, contract C6)', () => {
  it.each([
    [{}, {}],
    [{ from: 'x', Limit: '-1' }, {}],
    [{ since: '2026-02-28' }, { since: '2026-02-28' }],
    [{ country: 'hu' }, { country: 'HU' }],
    [{ country: 'zz' }, { country: 'ZZ' }],
    [{ country: 'EL' }, { country: 'GR' }],
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '200' }, { limit: 200 }],
    [{ limit: '201' }, { limit: 200 }],
    [{ limit: '007' }, { limit: 7 }],
    [{ limit: '9'.repeat(400) }, { limit: 200 }],
  ])('reads %j', (parameters, expected) => {
    expect(readQuery(parameters)).toEqual({ ...none, ...expected });
  });

  it('checks since first, then country, then limit', () => {
    const all = { limit: '0', country: 'x', since: 'x' };
    const { since: _since, ...rest } = all;

    expect(() => readQuery(all)).toThrow(refused('since'));
    expect(() => readQuery(rest)).toThrow(refused('country'));
  });

  it('reads every date and every limit, and clamps a limit above 200', () => {
    fc.assert(
      fc.property(anyDate, fc.bigInt({ min: 1n, max: 10n ** 30n }), (since, limit) => {
        expect(readQuery({ since, limit: String(limit) })).toEqual({
          since,
          country: undefined,
          limit: limit > 200n ? 200 : Number(limit),
        });
      }),
    );
  });
});
