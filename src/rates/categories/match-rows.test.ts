import { describe, expect, it } from 'vitest';
import {
  categoryRow as row,
  matchDay as match,
  rowsOf as country,
} from '../../../test/support/category-rows.ts';
import { isoDate } from '../../platform/time/time.ts';
import type { CountryRows } from './category-row.ts';
import type { RowFilter } from './matched-row.ts';

/** The matching rows as `country category matched`. */
function find(countries: readonly CountryRows[], filter: Partial<RowFilter>): string[] {
  const { rows } = match(countries, filter);
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
    const coversOf = (cn: string) => match([water], { cn }).rows[0]?.covers;

    expect(['2201', '22019000', '2201900010'].map(coversOf)).toEqual(['part', 'whole', 'whole']);
    expect(match([water], {}).rows[0]?.covers).toBeNull();
  });

  it('has rows in force first, then others, imports, and rows without a code (rules G5b, G7)', () => {
    const germany = country(
      'DE',
      row('HOTEL', { rate: '7' }),
      row('FOOD', { rate: '8', scope: 'import', cnCodes: ['0401'] }),
      row('MILK', { cnCodes: ['0401'], inForce: { from: null, to: isoDate('2026-11-19') } }),
      row('FOOD', { rate: '7', cnCodes: ['04'] }),
      row('WHEY', { cnCodes: ['04'], inForce: { from: isoDate('2026-11-20'), to: null } }),
    );
    const { rows } = match([germany], { cn: '0401', withUncoded: true });

    expect(rows.map(({ category, scope, matched }) => [category, scope, matched])).toEqual([
      ['FOOD', null, '04'],
      ['WHEY', null, '04'],
      ['MILK', null, '0401'],
      ['FOOD', 'import', '0401'],
      ['HOTEL', null, null],
    ]);
  });

  it('orders by length of the match, country, category, kind and rate', () => {
    const mixed = [
      country(
        'BE',
        row('B', { rate: '12' }),
        row('B', { rate: '6' }),
        row('A', { kind: null, rate: null }),
        row('A', { kind: 'parking' }),
        row('A', { kind: 'super_reduced' }),
        row('A'),
      ),
      country('AT', row('Z')),
    ];

    const { rows } = match(mixed, {});

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
