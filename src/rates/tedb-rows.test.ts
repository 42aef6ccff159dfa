import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRate } from '../../test/support/arbitraries.ts';
import { memberStates } from './member-states.ts';
import { readNationalRates, readScope, type TedbRow } from './tedb-rows.ts';

type Own = Partial<TedbRow>;
const base = {
  memberState: 'DE',
  situationDate: '2026-07-01',
  category: undefined,
  comment: undefined,
  description: undefined,
  cnCodes: [],
  cpaCodes: [],
};
const standard = (value: string | undefined, own: Own = {}): TedbRow => ({
  ...base,
  type: 'STANDARD',
  rateType: 'DEFAULT',
  value,
  ...own,
});
const reduced = (value: string | undefined, own: Own = {}): TedbRow => ({
  ...base,
  type: 'REDUCED',
  rateType: 'REDUCED_RATE',
  value,
  ...own,
});
const superReduced = (value: string): TedbRow => reduced(value, { rateType: 'SUPER_REDUCED_RATE' });
const parking = (value: string): TedbRow => reduced(value, { rateType: 'PARKING_RATE' });

/** Germany's rates from these rows and a standard rate of 19. */
function readGermany(...rows: readonly TedbRow[]) {
  const { entries, ambiguous } = readNationalRates([standard('19'), ...rows]);
  expect([ambiguous, entries.length]).toEqual([[], 1]);
  return entries[0];
}

describe('the standard rate (contract C13)', () => {
  it.each([
    ['a reduced row with rate type DEFAULT, as in 2021', reduced('7', { rateType: 'DEFAULT' })],
    ['a standard row with another rate type', standard('7', { rateType: 'REDUCED_RATE' })],
    ['a standard row without a value', standard(undefined)],
    ['a region by its category', standard('16', { category: 'REGION' })],
    ['a region by its comment', standard('7', { comment: 'VAT - Canary Islands - ' })],
    ['imports', standard('7', { comment: 'VAT - Import - ' })],
    ['a territory with an explanation', standard('7', { comment: 'VAT - Jungholz - see § 10' })],
    ['a territory in HTML', standard('7', { comment: '<p lang="pt">VAT - Madeira -</p>' })],
    ['a territory over two lines', standard('7', { comment: 'VAT - The\nAzores - ' })],
    ['a territory without blanks', standard('7', { comment: 'VAT-Livigno-' })],
    ['another Member State', standard('7', { memberState: 'XI' })],
    ['Greece by another code than EL', standard('7', { memberState: 'GR' })],
  ])('is not read from %s', (_, row) => {
    expect(readNationalRates([row]).entries).toEqual([]);
    expect(readGermany(row)).toMatchObject({ standard: '19', reduced: [] });
  });

  it.each([
    undefined,
    '<p>Art. 47 of the VAT Act.</p>',
    '-',
    'VAT - standard rate',
    'See VAT - Import - ',
    'VAT -  - ',
  ])('is read from rows with the comment %j', (comment) => {
    const none = { reduced: [], superReduced: undefined, parking: undefined };

    expect(readNationalRates([standard('19', { comment }), standard('19')])).toEqual({
      entries: [{ country: 'DE', standard: '19', ...none }],
      ambiguous: [],
      situationDate: '2026-07-01',
    });
  });

  it('is ambiguous if there are several values, and a country without one is left out', () => {
    const left = { entries: [], ambiguous: [], situationDate: '2026-07-01' };

    expect(readNationalRates([standard('21'), standard('7'), reduced('5')])).toEqual({
      ...left,
      ambiguous: [{ country: 'DE', standards: ['7', '21'] }],
    });
    expect(readNationalRates([reduced('7'), superReduced('3')])).toEqual(left);
  });
});

it.each([
  ['VAT - Canary Islands - see § 10 ', 'Canary Islands', 'see § 10'],
  ['VAT - Trentino-Alto Adige - a-b', 'Trentino-Alto Adige', 'a-b'],
  ['VAT - Import -', 'Import', ''],
  [' VAT-Livigno- food', 'Livigno', 'food'],
  ['VAT - -x-y', '-x', 'y'],
])('%j is about a part of the rows', (comment, scope, rest) => {
  expect(readScope(comment)).toEqual({ scope, rest });
});

it.each([
  [['2025-07-01', '2026-01-01', '2024-09-01'], 'DE', '2026-01-01'],
  [['2026-11-01'], 'XI', undefined],
  [[], 'DE', undefined],
])('the newest record of %j in %s is of %s (reliability R5)', (dates, memberState, newest) => {
  const rows = dates.map((situationDate) => standard('19', { situationDate, memberState }));

  expect(readNationalRates(rows).situationDate).toBe(newest);
});

describe('the other rates (contract C13)', () => {
  it.each([
    ['0', reduced('0')],
    ['the standard rate', reduced('19')],
    ['nothing', reduced(undefined)],
    ['an exemption', reduced('5', { rateType: 'EXEMPTED' })],
    ['what is not applicable', reduced('5', { rateType: 'NOT_APPLICABLE' })],
    ['what is out of scope', reduced('5', { rateType: 'OUT_OF_SCOPE' })],
    ['a region', reduced('5', { category: 'REGION' })],
    ['a row of type STANDARD', standard('5', { rateType: 'REDUCED_RATE' })],
  ])('do not include %s', (_, row) => {
    expect(readGermany(reduced('7', { category: 'FOODSTUFFS' }), row)?.reduced).toEqual(['7']);
  });

  const low = superReduced;
  it.each<[string, TedbRow[], string | undefined]>([
    ['the only one', [low('4.9')], '4.9'],
    ['the smallest by value', [low('10'), low('4')], '4'],
    ['the smallest above 0', [low('0'), low('3')], '3'],
    ['not one that is reduced as well', [low('7'), reduced('7')], undefined],
    ['the next one, if that is reduced as well', [low('3'), low('8'), reduced('3')], '8'],
    ['none', [low('0')], undefined],
  ])('have as the super-reduced rate %s', (_, rows, expected) => {
    expect(readGermany(...rows)?.superReduced).toBe(expected);
  });

  it.each<[string, TedbRow[], string | undefined]>([
    ['the only one', [parking('12')], '12'],
    ['the smallest above 0', [parking('0'), parking('14'), parking('9')], '9'],
    ['also one that is reduced as well', [parking('13'), reduced('13')], '13'],
    ['none', [parking('0')], undefined],
  ])('have as the parking rate %s', (_, rows, expected) => {
    expect(readGermany(...rows)?.parking).toBe(expected);
  });
});

describe('readNationalRates', () => {
  it('returns the Member States by country code, Greece as GR', () => {
    const rows = ['SK', 'EL', 'AT'].map((memberState) => standard('20', { memberState }));

    expect(readNationalRates(rows).entries.map(({ country }) => country)).toEqual(
      'AT GR SK'.split(' '),
    );
  });

  it('reads the same rates from rows in another order, and from repeated rows', () => {
    const states = memberStates.slice(0, 4).map((m) => m.registryCode);
    const kinds = ['DEFAULT', 'REDUCED_RATE', 'SUPER_REDUCED_RATE', 'PARKING_RATE', 'EXEMPTED'];
    const anyRow: fc.Arbitrary<TedbRow> = fc
      .record({
        memberState: fc.constantFrom(...states, 'XI'),
        type: fc.constantFrom('STANDARD', 'REDUCED'),
        rateType: fc.constantFrom(...kinds),
        value: fc.constantFrom(undefined, '0', '5', '9', '19', '21'),
        category: fc.constantFrom(undefined, 'REGION', 'FOODSTUFFS'),
        comment: fc.constantFrom(undefined, 'VAT - Import - ', 'a note'),
      })
      .map((row) => ({ ...base, ...row }) as TedbRow);
    const shuffled = fc.array(anyRow, { maxLength: 30 }).chain((rows) => {
      const twice = fc.shuffledSubarray([...rows, ...rows], { minLength: rows.length * 2 });
      return fc.tuple(fc.constant(rows), twice);
    });

    fc.assert(
      fc.property(shuffled, ([rows, again]) => {
        expect(readNationalRates(again)).toEqual(readNationalRates(rows));
      }),
    );
  });

  it('returns reduced rates in ascending order, without 0 and the standard rate', () => {
    fc.assert(
      fc.property(anyRate, fc.array(anyRate), (own, others) => {
        const rows = [standard(own), ...[...others, own, '0'].map((value) => reduced(value))];
        const [entry] = readNationalRates(rows).entries;
        const values = others.map(Number).filter((value) => value !== Number(own));
        expect((entry?.reduced ?? []).map(Number)).toEqual(
          [...new Set(values)].sort((a, b) => a - b),
        );
      }),
    );
  });
});
