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
  withUncoded: false,
};

/** The matching rows as `country category matched`. */
function find(countries: readonly CountryRows[], filter: Partial<RowFilter>): string[] {
  const { rows } = matchRows(countries, { ...every, ...filter });
  return rows.map((one) => `${one.country} ${one.category} ${one.matched}`);
}

describe('matchRows (rule G4)', () => {
  const books = row('BOOKS', { cnCodes: ['4901', '49019900', '4902'] });
  const goods = [
    country('BE', books, row('ALL', { cnCodes: ['49'] })),
    country('AT', row('MUSIC', { cnCodes: ['4904'], cpaCodes: ['59.20.31'] })),
  ];
  const hotel = row('HOTEL', { cpaCodes: ['55.10.00'] });
  const services = [
    country('RO', hotel, row('BUILDING', { cpaCodes: ['41.00.3'] })),
    country('SI', row('HOUSING', { cpaCodes: ['F'] }), row('ROOM', { cpaCodes: ['55.10.10'] })),
  ];

  it.each<[Partial<RowFilter>, string[]]>([
    [{ cn: '490110' }, ['BE BOOKS 4901', 'BE ALL 49']],
    [{ cn: '49019900' }, ['BE BOOKS 49019900', 'BE ALL 49']],
    [{ cn: '4901' }, ['BE BOOKS 49019900', 'BE ALL 49']],
    [{ cn: '49' }, ['AT MUSIC 4904', 'BE ALL 49', 'BE BOOKS 49019900']],
    [{ cn: '4905' }, ['BE ALL 49']],
    [{ cn: '50' }, []],
    [{ cn: '90' }, []],
    [{ cpa: '5920' }, ['AT MUSIC 59.20.31']],
    [{ cpa: '592031' }, ['AT MUSIC 59.20.31']],
    [{ cpa: '592131' }, []],
    [{ country: 'BE' }, ['BE ALL null', 'BE BOOKS null']],
    [{ country: 'BE', category: 'BOOKS' }, ['BE BOOKS null']],
    [{ cn: '4904', cpa: '59' }, ['AT MUSIC 4904']],
    [{ cn: '4901', cpa: '59' }, []],
    [{ country: 'XX' }, []],
  ])('finds for %j the rows with their longest matching code: %j', (filter, rows) => {
    expect(find(goods, filter)).toEqual(rows);
  });

  it.each([
    ['551010', ['RO HOTEL 55.10.00', 'SI ROOM 55.10.10']],
    ['551000', ['RO HOTEL 55.10.00', 'SI ROOM 55.10.10']],
    ['551090', ['RO HOTEL 55.10.00', 'SI ROOM 55.10.10']],
    ['552010', []],
    ['4321', ['SI HOUSING F']],
    ['F', ['RO BUILDING 41.00.3', 'SI HOUSING F']],
  ])('finds class and section of the CPA code %s', (cpa, rows) => {
    expect(find(services, { cpa }).sort()).toEqual(rows.toSorted());
  });

  it('says whether the codes of a row contain the whole requested code', () => {
    const water = country('DE', row('WATER', { cnCodes: ['22019000'] }));
    const coversOf = (cn: string) => matchRows([water], { ...every, cn }).rows[0]?.covers;

    expect(['2201', '22019000', '2201900010'].map(coversOf)).toEqual(['part', 'whole', 'whole']);
    expect(matchRows([water], every).rows[0]?.covers).toBeNull();
  });

  it('has rows for imports after all others, and rows without a code at the end (rules G5, G7)', () => {
    const germany = country(
      'DE',
      row('FOOD', { rate: '8', scope: 'import', cnCodes: ['0401'] }),
      row('FOOD', { rate: '7', cnCodes: ['04'] }),
      row('HOTEL', { rate: '7' }),
    );
    const { rows, ambiguous } = matchRows([germany], { ...every, cn: '0401', withUncoded: true });

    expect(rows.map(({ category, scope, matched }) => [category, scope, matched])).toEqual([
      ['FOOD', null, '04'],
      ['FOOD', 'import', '0401'],
      ['HOTEL', null, null],
    ]);
    expect(ambiguous).toBe(false);
  });

  it('orders by length of the match, country, category, kind and rate', () => {
    const mixed = [
      country('BE', row('B', { rate: '12' }), row('B', { rate: '6' })),
      country('BE', row('A', { kind: null, rate: null })),
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
    ['another rate for a shorter code', row('B', { rate: '12', cnCodes: ['49'] }), true],
    ['the same rate for a part of the code', row('B', { rate: '6', cnCodes: ['49020000'] }), false],
    ['another rate for another code', row('B', { rate: '12', cnCodes: ['4901'] }), false],
  ])('is decided by a row of the same country with %s', (_, other, expected) => {
    expect(isAmbiguous(country('BE', six, other))).toBe(expected);
  });

  it('is decided by a row that contains only a part of the code', () => {
    expect(isAmbiguous(country('BE', row('A', { cnCodes: ['490210'] })))).toBe(true);
    expect(isAmbiguous(country('BE', row('A', { cnCodes: ['49'] })))).toBe(false);
  });

  it('is decided by rows without a code that are included', () => {
    const belgium = country('BE', six, row('B', { rate: '12' }));
    const isAmbiguousWith = (withUncoded: boolean) =>
      matchRows([belgium], { ...every, cn: '4902', withUncoded }).ambiguous;

    expect([false, true].map(isAmbiguousWith)).toEqual([false, true]);
  });

  it('is not affected by another country', () => {
    const other = row('A', { rate: '12', cnCodes: ['4902'] });

    expect(isAmbiguous(country('BE', six), country('IT', other))).toBe(false);
  });
});

describe('uncoded (rule G5)', () => {
  const spain = country(
    'ES',
    row('-', { rate: '4', kind: 'super_reduced' }),
    row('HOTEL', { rate: '10', cpaCodes: ['55'] }),
    row('CARE', { rate: null, treatment: 'exempted' }),
    row('CANARIES', { rate: '3', territory: 'Canary Islands' }),
    row('FOOD', { rate: '10', cnCodes: ['04'] }),
  );
  const ofSpain = (rows: number, ...rates: string[]) => ({ ES: { rows, rates } });
  const ofAustria = { AT: { rows: 1, rates: ['5'] } };
  it.each<[Partial<RowFilter>, object | undefined]>([
    [{ cn: '4901' }, ofSpain(3, '4', '10')],
    [{ cpa: '5510' }, { ...ofSpain(3, '4', '10'), ...ofAustria }],
    [
      { cn: '0401', cpa: '5510' },
      { ...ofSpain(4, '4', '10'), ...ofAustria },
    ],
    [{ cn: '4901', category: 'CARE' }, ofSpain(1)],
    [{ cn: '4901', withTerritories: true }, ofSpain(3, '4', '10')],
    [{ country: 'ES' }, undefined],
  ])('counts the national rows that a request by %j may be about', (filter, expected) => {
    const countries = [spain, country('AT', row('FOOD', { cnCodes: ['04'] }))];

    expect(matchRows(countries, { ...every, ...filter }).uncoded).toEqual(expected);
  });
});
