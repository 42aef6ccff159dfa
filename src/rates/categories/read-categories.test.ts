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

const rateOf = (rateType: TedbRow['rateType'], value?: string, type: TedbRow['type'] = 'REDUCED') =>
  ({ type, rateType, value }) as const;

it('a row has the fields of the normal form (rule G1)', () => {
  expect(readOne({})).toEqual({
    category: 'LOAN_LIBRARIES',
    description: 'Books',
    comment: 'Annex 2',
    kind: 'reduced',
    treatment: 'rate',
    rate: '7',
    deduction: true,
    cnCodes: ['4901', '4902'],
    cpaCodes: ['58.11.3'],
    territory: null,
    scope: null,
    inForce: null,
    situationOn: '2026-07-01',
  });
});

it('a row without a category, or of no Member State, is left out; EL is Greece (rule G1)', () => {
  expect(read({ category: undefined, description: undefined })).toEqual([]);
  expect(read({ memberState: 'XI' }, { memberState: 'GR' })).toEqual([]);
  expect(readCategories([{ ...german, memberState: 'EL' }])).toMatchObject([{ country: 'GR' }]);
});

it.each<[Partial<TedbRow>, kind: string | null, treatment: string, rate: string | null]>([
  [{}, 'reduced', 'rate', '7'],
  [rateOf('SUPER_REDUCED_RATE', '4'), 'super_reduced', 'rate', '4'],
  [rateOf('PARKING_RATE', '12'), 'parking', 'rate', '12'],
  // As in 2021.
  [rateOf('DEFAULT', '7'), 'reduced', 'rate', '7'],
  [rateOf('DEFAULT', '19', 'STANDARD'), 'standard', 'rate', '19'],
  [rateOf('REDUCED_RATE', '0'), 'reduced', 'zero', '0'],
  [rateOf('REDUCED_RATE', undefined), 'reduced', 'rate', null],
  [rateOf('EXEMPTED', '0'), null, 'exempted', null],
  [rateOf('OUT_OF_SCOPE', '0'), null, 'out_of_scope', null],
  [rateOf('NOT_APPLICABLE', '0'), null, 'not_applicable', null],
])('a row with %j is of kind %s, %s, rate %s (rule G1)', (own, kind, treatment, rate) => {
  expect(readOne(own)).toMatchObject({ kind, treatment, rate });
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
])('EXEMPTED with the comment %j is %s, deduction %j', (comment, treatment, deduction) => {
  const rate = treatment === 'zero' ? '0' : null;

  expect(readOne({ ...rateOf('EXEMPTED', '0'), comment })).toMatchObject({
    treatment,
    rate,
    deduction,
  });
});

it('a set of an earlier release is read as a new one', () => {
  const [set] = readCategories([{ ...german, ...rateOf('EXEMPTED', '0'), comment: 'nil rate' }]);
  const earlier = (set?.text ?? '').replace('"exempted","rate":null', '"zero","rate":"0"');

  expect(earlier).not.toBe(set?.text);
  expect(parseRows(earlier).rows).toEqual(set?.rows);
});

it('a row has its codes ascending, and only those of its system; an empty comment is none', () => {
  const cnCodes = ['4901 10 00', '49', '4901.10.00', 'ex 4902', '4', '12345678901', '58.11.3'];
  const cpaCodes = ['58.11.3', ' 55 ', '', '55'];

  expect(readOne({ cnCodes, cpaCodes, comment: '<p></p>' })).toMatchObject({
    cnCodes: ['49', '49011000', '58113'],
    cpaCodes: ['55', '58.11.3'],
    comment: null,
  });
});

describe('the territory of a row (rule G7)', () => {
  it.each<[Partial<TedbRow>, string | null]>([
    [{ category: 'REGION', comment: '<p> Jungholz, Mittelberg </p>' }, 'Jungholz, Mittelberg'],
    [{ category: 'REGION', comment: undefined }, 'not named'],
    [{ comment: 'VAT - Canary Islands - 3 %' }, 'Canary Islands'],
    [{ comment: 'VAT - Île-de-Ré - ' }, 'Île-de-Ré'],
    [{ comment: 'VAT - Import - bottled water' }, null],
    [{ comment: 'VAT is due' }, null],
  ])('is read from %j: %j', (own, territory) => {
    expect(readOne(own)?.territory).toBe(territory);
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
