import { describe, expect, it } from 'vitest';
import {
  categoryRow as row,
  goodsErratum,
  matchDay,
  rowsOf as country,
} from '../../../test/support/category-rows.ts';
import type { GoodsErratum } from '../errata/goods-erratum.ts';
import type { CategoryRow } from './category-row.ts';
import type { RowFilter } from './matched-row.ts';

describe('errata of goods (rule X7)', () => {
  const cola = goodsErratum('err_b', { codes: ['2202'], law: { treatment: 'rate', rate: '19' } });
  const drinks = row('FOOD', { rate: '7', cnCodes: ['22'] });
  const find = (
    errata: readonly GoodsErratum[],
    filter: Partial<RowFilter>,
    rows: readonly CategoryRow[] = [drinks],
  ) => {
    const found = matchDay([country('DE', ...rows)], { country: 'DE', ...filter }, errata);
    return [found.rows.map(({ erratum }) => erratum), found.errata, found.verdicts['DE']];
  };
  const law = { kind: 'depends', rates: ['7', '19'], treatments: ['rate'] };
  const none = { kind: 'none', uncoded: 0 };

  it('concern a row by country, category, taxation and codes, and a request by its code', () => {
    expect(find([cola], { cn: '22021000' })).toEqual([['err_b'], ['err_b'], law]);
    expect(find([cola], { cn: '22' })).toEqual([['err_b'], ['err_b'], law]);
    expect(find([cola], { category: 'FOOD' })).toEqual([['err_b'], ['err_b'], law]);
    expect(find([cola], {})).toEqual([['err_b'], [], undefined]);
    // Water is another heading of the same chapter.
    expect(find([cola], { cn: '2201' })).toMatchObject([[null], [], { rates: ['7'] }]);
  });

  it.each<[string, Partial<CategoryRow>]>([
    ['another rate', { rate: '19' }],
    ['another category', { category: 'DRINKS' }],
    ['a place', { territory: 'Heligoland' }],
    ['imports', { scope: 'import' }],
  ])('do not concern a row with %s', (_, own) => {
    const [erratum] = find([cola], { cn: '2202', withTerritories: true }, [{ ...drinks, ...own }]);

    expect(erratum).toEqual([null]);
  });

  it('concern no row of another country, and supply none there', () => {
    const lacking = goodsErratum('err_d', { codes: ['2202'], source: null, law: cola.law });
    const both = [country('AT', drinks), country('DE', drinks)];
    const { rows, errata, verdicts } = matchDay(both, { cn: '2202' }, [cola, lacking]);

    expect(rows.map((one) => [one.country, one.erratum])).toEqual([
      ['AT', null],
      ['DE', 'err_b'],
    ]);
    expect(errata).toEqual(['err_b', 'err_d']);
    expect(verdicts).toMatchObject({ AT: { rates: ['7'] }, DE: { rates: ['7', '19'] }, FI: none });
  });

  it('concern only the row whose comment begins as they say', () => {
    const only = { ...cola, commentBegins: 'Milk drinks' };
    const rows = [drinks, { ...drinks, comment: 'Milk drinks of 2202' }];

    expect(find([only], { cn: '2202' }, rows)[0]).toEqual([null, 'err_b']);
  });

  it('name the one with most digits in common with the code, then the lower id, and list all', () => {
    const long = goodsErratum('err_c', { codes: ['22021000'], law: cola.law });
    const same = goodsErratum('err_a', { codes: ['2202'], law: cola.law });
    const all = ['err_a', 'err_b', 'err_c'];

    expect(find([cola, long, same], { cn: '22021000' })).toEqual([['err_c'], all, law]);
    expect(find([cola, long, same], { cn: '2202' })).toEqual([['err_a'], all, law]);
    expect(find([cola, long, same], { category: 'FOOD' })[0]).toEqual(['err_a']);
  });

  it('supply a row that TEDB lacks, until it has one', () => {
    const bus = goodsErratum('err_d', {
      category: 'TRANSPORT',
      codeKind: 'cpa',
      codes: ['49.31'],
      source: null,
      law: { treatment: 'rate', rate: '10' },
    });
    const supplied = [[], ['err_d'], { kind: 'depends', rates: ['10'], treatments: ['rate'] }];

    for (const cpa of ['4931', '493', '493199']) expect(find([bus], { cpa })).toEqual(supplied);
    // By its class, as rows are (rule G4).
    const tram = { ...bus, codes: ['49.31.21'] };
    expect(find([tram], { cpa: '493122' })).toEqual(supplied);
    expect(find([bus], { category: 'TRANSPORT' })).toEqual(supplied);
    expect(find([bus], { cpa: '4932' })).toEqual([[], [], none]);
    expect(find([bus], { cn: '4931' })).toEqual([[], [], none]);
    expect(find([bus], { cpa: '4931', category: 'FOOD' })).toEqual([[], [], none]);
    const rail = row('RAIL', { rate: '10', cpaCodes: ['49.3'] });
    expect(find([bus], { cpa: '4931' }, [rail])).toMatchObject([[null], [], { rates: ['10'] }]);
    const zero = row('RAIL', { rate: '0', treatment: 'zero', cpaCodes: ['49.31'] });
    expect(find([bus], { cpa: '4931' }, [zero])).toMatchObject([
      [null],
      ['err_d'],
      { rates: ['0', '10'], treatments: ['rate', 'zero'] },
    ]);
  });
});
