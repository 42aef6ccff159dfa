import { describe, expect, it } from 'vitest';
import { categoryRow as row, rowsOf as country } from '../../../test/support/category-rows.ts';
import type { CountryRows } from './category-row.ts';
import { matchRows, type RowFilter } from './match-rows.ts';

const every: RowFilter = {
  country: undefined,
  category: undefined,
  cn: undefined,
  cpa: undefined,
  withTerritories: false,
};

/** The matching rows as `country category matched`. */
function find(countries: readonly CountryRows[], filter: Partial<RowFilter>): string[] {
  const { rows } = matchRows(countries, { ...every, ...filter });
  return rows.map((one) => `${one.country} ${one.category} ${one.matched}`);
}

describe('matchRows (rule G4)', () => {
  const goods = [
    country(
      'BE',
      row('BOOKS', { cnCodes: ['4901', '49019900', '4902'] }),
      row('ALL', { cnCodes: ['49'] }),
    ),
    country('AT', row('MUSIC', { cnCodes: ['4904'], cpaCodes: ['59.20.31'] })),
  ];

  it.each([
    ['490110', ['BE BOOKS 4901', 'BE ALL 49']],
    ['49019900', ['BE BOOKS 49019900', 'BE ALL 49']],
    ['4901', ['BE BOOKS 49019900', 'BE ALL 49']],
    ['49', ['AT MUSIC 4904', 'BE ALL 49', 'BE BOOKS 49019900']],
    ['4905', ['BE ALL 49']],
    ['50', []],
    ['90', []],
  ])('finds the rows for CN %s with their longest matching code', (cn, rows) => {
    expect(find(goods, { cn })).toEqual(rows);
  });

  it.each([
    ['5920', ['AT MUSIC 59.20.31']],
    ['592031', ['AT MUSIC 59.20.31']],
    ['592032', []],
  ])('finds the rows for the digits %s of a CPA code', (cpa, rows) => {
    expect(find(goods, { cpa })).toEqual(rows);
  });

  it('finds rows that meet all conditions', () => {
    expect(find(goods, { country: 'BE' })).toEqual(['BE ALL null', 'BE BOOKS null']);
    expect(find(goods, { country: 'BE', category: 'BOOKS' })).toEqual(['BE BOOKS null']);
    expect(find(goods, { cn: '4904', cpa: '59' })).toEqual(['AT MUSIC 4904']);
    expect(find(goods, { cn: '4901', cpa: '59' })).toEqual([]);
    expect(find(goods, { country: 'XX' })).toEqual([]);
  });

  it('orders by length of the match, country, category, kind and rate', () => {
    const mixed = [
      country(
        'BE',
        row('B', { rate: '12' }),
        row('B', { rate: '6' }),
        row('A', { kind: null, rate: null }),
      ),
      country('BE', row('A', { kind: 'parking' }), row('A', { kind: 'super_reduced' }), row('A')),
      country('AT', row('Z')),
    ];

    const { rows } = matchRows(mixed, every);

    expect(rows.map((one) => `${one.country} ${one.category} ${one.kind} ${one.rate}`)).toEqual([
      'AT Z reduced 5',
      'BE A reduced 5',
      'BE A super_reduced 5',
      'BE A parking 5',
      'BE A null null',
      'BE B reduced 6',
      'BE B reduced 12',
    ]);
  });

  it('leaves out rows for territories unless they are asked for (rule G7)', () => {
    const austria = [country('AT', row('REGION', { territory: 'Jungholz' }))];

    expect(find(austria, { category: 'REGION' })).toEqual([]);
    expect(find(austria, { category: 'REGION', withTerritories: true })).toEqual([
      'AT REGION null',
    ]);
  });
});

describe('ambiguous (rule G5)', () => {
  const isAmbiguous = (...rows: readonly CountryRows[]): boolean =>
    matchRows(rows, { ...every, cn: '4902' }).ambiguous;
  const six = row('A', { rate: '6', cnCodes: ['4902'] });

  it.each([
    ['another rate', row('B', { rate: '12', cnCodes: ['4902'] }), true],
    ['another rate for a longer code', row('B', { rate: '12', cnCodes: ['49020000'] }), true],
    ['another treatment', row('B', { rate: null, treatment: 'exempted', cnCodes: ['4902'] }), true],
    ['another kind', row('B', { rate: '6', kind: 'parking', cnCodes: ['4902'] }), false],
    ['another rate for a shorter code', row('B', { rate: '12', cnCodes: ['49'] }), false],
    ['another rate for another code', row('B', { rate: '12', cnCodes: ['4901'] }), false],
  ])('is decided by a row of the same country with %s', (_, other, expected) => {
    expect(isAmbiguous(country('BE', six, other))).toBe(expected);
  });

  it('is not affected by another country', () => {
    const other = row('A', { rate: '12', cnCodes: ['4902'] });

    expect(isAmbiguous(country('BE', six), country('IT', other))).toBe(false);
  });
});
