import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TedbRow } from '../tedb-rows.ts';
import type { CategoryRow } from './category-row.ts';
import { parseRows } from './category-sets.ts';
import { readCategories } from './read-categories.ts';

const german: TedbRow = {
  memberState: 'DE',
  type: 'REDUCED',
  rateType: 'REDUCED_RATE',
  value: '7',
  situationDate: '2026-07-01',
  category: 'LOAN_LIBRARIES',
  description: 'Books',
  cnCodes: ['4902', '4901'],
  cpaCodes: ['58.11.3'],
  comment: 'Annex 2',
};

function read(...rows: readonly Partial<TedbRow>[]): readonly CategoryRow[] {
  const sets = readCategories(rows.map((row) => ({ ...german, ...row })));
  return sets.flatMap((set) => set.rows);
}

/** The one row that is read from a row. */
function readOne(row: Partial<TedbRow>): CategoryRow | undefined {
  const rows = read(row);
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe('a row of goods (rule G1)', () => {
  it('has the fields of the normal form', () => {
    expect(readOne({})).toEqual({
      category: 'LOAN_LIBRARIES',
      description: 'Books',
      kind: 'reduced',
      treatment: 'rate',
      rate: '7',
      cnCodes: ['4901', '4902'],
      cpaCodes: ['58.11.3'],
      comment: 'Annex 2',
      territory: null,
      situationOn: '2026-07-01',
      deduction: true,
      scope: null,
    });
  });

  it('is left out without a category', () => {
    expect(read({ category: undefined, description: undefined })).toEqual([]);
  });

  it('is left out for a place that is not a Member State', () => {
    expect(read({ memberState: 'XI' }, { memberState: 'GR' })).toEqual([]);
  });

  it('belongs to Greece if TEDB says EL', () => {
    expect(readCategories([{ ...german, memberState: 'EL' }])).toMatchObject([{ country: 'GR' }]);
  });

  it.each<[string, Partial<TedbRow>, Partial<CategoryRow>]>([
    ['a reduced rate', {}, { kind: 'reduced', treatment: 'rate', rate: '7' }],
    [
      'a super-reduced rate',
      { rateType: 'SUPER_REDUCED_RATE', value: '4' },
      { kind: 'super_reduced', treatment: 'rate', rate: '4' },
    ],
    [
      'a parking rate',
      { rateType: 'PARKING_RATE', value: '12' },
      { kind: 'parking', treatment: 'rate', rate: '12' },
    ],
    [
      'a reduced rate of the kind DEFAULT, as in 2021',
      { rateType: 'DEFAULT' },
      { kind: 'reduced', treatment: 'rate', rate: '7' },
    ],
    [
      'a standard rate with a category',
      { type: 'STANDARD', rateType: 'DEFAULT', value: '19' },
      { kind: 'standard', treatment: 'rate', rate: '19' },
    ],
    ['a reduced rate of 0', { value: '0' }, { kind: 'reduced', treatment: 'zero', rate: '0' }],
    [
      'a rate without a value',
      { value: undefined },
      { kind: 'reduced', treatment: 'rate', rate: null },
    ],
    [
      'an exemption',
      { rateType: 'EXEMPTED', value: '0' },
      { kind: null, treatment: 'exempted', rate: null },
    ],
    [
      'out of scope',
      { rateType: 'OUT_OF_SCOPE', value: '0' },
      { kind: null, treatment: 'out_of_scope', rate: null },
    ],
    [
      'not applicable',
      { rateType: 'NOT_APPLICABLE', value: '0' },
      { kind: null, treatment: 'not_applicable', rate: null },
    ],
  ])('reads %s', (_, row, expected) => {
    expect(readOne(row)).toMatchObject(expected);
  });

  it.each([
    ['Exemption with deduction right - Newspapers', 'zero', true],
    ['services falling under the zero rate e.g. photovoltaic power', 'zero', true],
    ['Photovoltaic modules are zero tax rated', 'zero', true],
    ['A condition for the 0% rate is a home', 'zero', true],
    ['Zero-rated', 'zero', true],
    ['Nil rate', 'zero', true],
    ['Exempt with the right to deduct', 'zero', true],
    ['Exempt with credit', 'zero', true],
    ['Exempt without the right to deduct', 'exempted', false],
    ['Exempt without credit; 0 %', 'exempted', false],
    ['Exempt; there is no right of deduction', 'exempted', false],
    ['0 % without a limit', 'exempted', null],
    ['Up to 10% of the price', 'exempted', null],
    ['5,0% of the price', 'exempted', null],
    ['Steuerfrei nach § 4 UStG', 'exempted', null],
    [undefined, 'exempted', null],
  ])('reads EXEMPTED with the comment %j as %s, deduction %j', (comment, treatment, deduction) => {
    expect(readOne({ rateType: 'EXEMPTED', value: '0', comment })).toMatchObject({
      treatment,
      rate: treatment === 'zero' ? '0' : null,
      deduction,
    });
  });

  it('is read from a set of an earlier release as from a new one', () => {
    const [set] = readCategories([
      { ...german, rateType: 'EXEMPTED', value: '0', comment: 'nil rate' },
    ]);
    const earlier = (set?.text ?? '').replace('"exempted","rate":null', '"zero","rate":"0"');

    expect(earlier).not.toBe(set?.text);
    expect(parseRows(earlier).rows).toEqual(set?.rows);
  });

  it('has CN codes of digits, ascending, and no codes of other systems', () => {
    const cnCodes = ['4901 10 00', '49', '4901.10.00', 'ex 4902', '4', '12345678901', '58.11.3'];

    expect(readOne({ cnCodes })?.cnCodes).toEqual(['49', '49011000', '58113']);
  });

  it('has CPA codes as TEDB prints them, ascending', () => {
    expect(readOne({ cpaCodes: ['58.11.3', ' 55 ', '', '55'] })?.cpaCodes).toEqual([
      '55',
      '58.11.3',
    ]);
  });

  it('has no comment if TEDB has none', () => {
    expect(readOne({ comment: '<p></p>' })?.comment).toBeNull();
  });
});

describe('the territory of a row (rule G7)', () => {
  it.each<[string, Partial<TedbRow>, string | null]>([
    [
      'of the category REGION',
      { category: 'REGION', comment: '<p> Jungholz, Mittelberg </p>' },
      'Jungholz, Mittelberg',
    ],
    [
      'of the category REGION without a comment',
      { category: 'REGION', comment: undefined },
      'not named',
    ],
    [
      'whose comment starts with a territory',
      { comment: 'VAT - Canary Islands - 3 %' },
      'Canary Islands',
    ],
    ['whose territory has a hyphen', { comment: 'VAT - Île-de-Ré - ' }, 'Île-de-Ré'],
    ['for imports', { comment: 'VAT - Import - bottled water' }, null],
    ['with any other comment', { comment: 'VAT is due' }, null],
  ])('is read from a row %s', (_, row, territory) => {
    expect(readOne(row)?.territory).toBe(territory);
  });

  it('of a standard rate, which has no category, keeps that rate beside the rows (rule G8)', () => {
    const standard = { type: 'STANDARD', rateType: 'DEFAULT', cnCodes: [], cpaCodes: [] } as const;
    const spanish = { ...german, ...standard, memberState: 'ES', category: undefined };
    const [set] = readCategories([
      { ...spanish, value: '7', comment: 'VAT - Canary Islands - ' },
      { ...spanish, value: '21', comment: undefined },
      { ...spanish, value: '21', comment: 'VAT - Import - ' },
    ]);

    expect(set?.rows).toEqual([]);
    expect(set?.standardOfTerritories).toMatchObject([
      { kind: 'standard', treatment: 'rate', rate: '7', territory: 'Canary Islands' },
    ]);
    // The same is read from the stored text.
    expect(parseRows(set?.text ?? '')).toEqual({
      rows: [],
      standardOfTerritories: set?.standardOfTerritories,
    });
  });

  it('drops a row for imports that repeats a domestic row', () => {
    const rows = read(
      { comment: 'Annex 2 of  the Act' },
      { comment: 'VAT - Import - annex 2 of the\nAct.' },
    );

    expect(rows).toMatchObject([{ comment: 'Annex 2 of  the Act' }]);
  });

  it.each<[string, Partial<TedbRow>]>([
    ['rate', { value: '5' }],
    ['kind', { rateType: 'SUPER_REDUCED_RATE' }],
    ['codes', { cnCodes: ['4901'] }],
    ['category', { category: 'BOOKS' }],
    ['comment', { comment: 'VAT - Import - Annex 3' }],
  ])('keeps a row for imports with another %s, and says so', (_, difference) => {
    const rows = read({}, { comment: 'VAT - Import - Annex 2', ...difference });

    expect(rows).toHaveLength(2);
    expect(rows.filter(({ scope }) => scope === 'import')).toHaveLength(1);
  });

  it.each([
    ['Import only', 'import'],
    ['Works of art: imports only.', 'import'],
    ['Applies only to the importation of works of art', 'import'],
    ['Reduced rate on importation and supply', null],
    ['Only books. Importation is taxed alike', null],
  ])('reads the comment %j as the scope %j', (comment, scope) => {
    expect(readOne({ comment })?.scope).toBe(scope);
  });
});

it('gives the same sets for rows in another order, and for repeated rows', () => {
  const row = fc.record({
    category: fc.constantFrom('A', 'B', 'REGION'),
    value: fc.constantFrom('5', '7'),
    comment: fc.constantFrom(undefined, 'x', 'VAT - Import - x'),
    cnCodes: fc.shuffledSubarray(['01', '02', '0301']),
  });

  fc.assert(
    fc.property(
      fc
        .array(row, { maxLength: 12 })
        .chain((rows) =>
          fc.tuple(
            fc.constant(rows),
            fc.shuffledSubarray([...rows, ...rows], { minLength: 2 * rows.length }),
          ),
        ),
      ([rows, others]) => {
        const all = (parts: readonly Partial<TedbRow>[]) =>
          readCategories(parts.map((part) => ({ ...german, ...part })));

        expect(all(others)).toEqual(all(rows));
      },
    ),
  );
});
