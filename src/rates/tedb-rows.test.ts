import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRate } from '../../test/support/arbitraries.ts';
import { memberStates } from './member-states.ts';
import { readNationalRates, type TedbRow } from './tedb-rows.ts';

const base = {
  situationDate: '2026-07-01',
  category: undefined,
  description: undefined,
  cnCodes: [],
  cpaCodes: [],
  comment: undefined,
};

function standard(value: string | undefined, more: Partial<TedbRow> = {}): TedbRow {
  return { ...base, memberState: 'DE', type: 'STANDARD', rateType: 'DEFAULT', value, ...more };
}

function reduced(value: string | undefined, more: Partial<TedbRow> = {}): TedbRow {
  return { ...base, memberState: 'DE', type: 'REDUCED', rateType: 'REDUCED_RATE', value, ...more };
}

const superReduced = (value: string): TedbRow => reduced(value, { rateType: 'SUPER_REDUCED_RATE' });
const parking = (value: string): TedbRow => reduced(value, { rateType: 'PARKING_RATE' });

/** Germany's rates from these rows and a standard rate of 19. */
function readGermany(...rows: readonly TedbRow[]) {
  const { entries, ambiguous } = readNationalRates([standard('19'), ...rows]);
  expect(ambiguous).toEqual([]);
  expect(entries).toHaveLength(1);
  return entries[0];
}

describe('the standard rate (contract C13)', () => {
  it('is the rate of type STANDARD and rate type DEFAULT', () => {
    expect(readNationalRates([standard('19')])).toEqual({
      entries: [
        { country: 'DE', standard: '19', reduced: [], superReduced: undefined, parking: undefined },
      ],
      ambiguous: [],
      situationDate: '2026-07-01',
    });
  });

  it.each([
    ['a reduced row with rate type DEFAULT, as in 2021', reduced('7', { rateType: 'DEFAULT' })],
    ['a standard row with another rate type', standard('7', { rateType: 'REDUCED_RATE' })],
    ['a standard row without a value', standard(undefined)],
    ['a region by its category', standard('16', { category: 'REGION' })],
    ['a region by its comment', standard('7', { comment: 'VAT - Canary Islands - ' })],
    ['imports', standard('7', { comment: 'VAT - Import - ' })],
    ['a territory with an explanation', standard('7', { comment: 'VAT - Jungholz - see § 10' })],
    ['a territory in HTML', standard('7', { comment: '<p>VAT - Madeira -</p>' })],
    ['a territory over two lines', standard('7', { comment: 'VAT - The\nAzores - ' })],
    ['a territory without blanks', standard('7', { comment: 'VAT-Livigno-' })],
    ['another Member State', standard('7', { memberState: 'XI' })],
  ])('is not read from %s', (_, row) => {
    expect(readNationalRates([row]).entries).toEqual([]);
    expect(readGermany(row)).toMatchObject({ standard: '19', reduced: [] });
  });

  it.each([
    ['a legal citation', '<p>Art. 47 of the VAT Act.</p>'],
    ['a dash', '-'],
    ['an explanation that mentions VAT', 'VAT - standard rate'],
    ['a territory further on', 'See VAT - Import - '],
    ['an empty territory', 'VAT -  - '],
  ])('is read from a row with %s as its comment', (_, comment) => {
    expect(readNationalRates([standard('19', { comment })]).entries).toHaveLength(1);
  });

  it('is read from several rows with the same value', () => {
    expect(readGermany(standard('19'), standard('19'))).toMatchObject({ standard: '19' });
  });

  it('is reported as ambiguous if there are several values', () => {
    const reading = readNationalRates([standard('21'), standard('7'), reduced('5')]);

    expect(reading).toEqual({
      entries: [],
      ambiguous: [{ country: 'DE', standards: ['7', '21'] }],
      situationDate: '2026-07-01',
    });
  });

  it('is required: a country without one is left out', () => {
    expect(readNationalRates([reduced('7'), superReduced('3')])).toEqual({
      entries: [],
      ambiguous: [],
      situationDate: '2026-07-01',
    });
  });
});

describe('the age of an answer (reliability R5)', () => {
  it('is the start date of its newest record', () => {
    const rows = ['2025-07-01', '2026-01-01', '2024-09-01'].map((situationDate) =>
      standard('19', { situationDate }),
    );

    expect(readNationalRates(rows).situationDate).toBe('2026-01-01');
  });

  it('ignores records from outside the EU-27, and is undefined for an empty answer', () => {
    const foreign = standard('20', { memberState: 'XI', situationDate: '2026-11-01' });

    expect(readNationalRates([foreign]).situationDate).toBeUndefined();
    expect(readNationalRates([]).situationDate).toBeUndefined();
  });
});

describe('the reduced rates (contract C13)', () => {
  it('are the distinct values in ascending order', () => {
    expect(readGermany(reduced('13'), reduced('5'), reduced('5.5'), reduced('13'))).toMatchObject({
      reduced: ['5', '5.5', '13'],
    });
  });

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
    expect(readGermany(reduced('7'), row)?.reduced).toEqual(['7']);
  });

  it('include every category but regions', () => {
    expect(readGermany(reduced('7', { category: 'FOODSTUFFS' }))?.reduced).toEqual(['7']);
  });
});

describe('the super-reduced rate (contract C13)', () => {
  it.each([
    ['the only one', [superReduced('4.9')], '4.9'],
    ['the smallest by value', [superReduced('10'), superReduced('4')], '4'],
    ['the smallest above 0', [superReduced('0'), superReduced('3')], '3'],
    ['not one that is a reduced rate as well', [superReduced('7'), reduced('7')], undefined],
    [
      'the next one, if the smallest is a reduced rate',
      [superReduced('3'), superReduced('8'), reduced('3')],
      '8',
    ],
    ['none', [superReduced('0')], undefined],
  ])('is %s', (_, rows, expected) => {
    expect(readGermany(...rows)?.superReduced).toBe(expected);
  });
});

describe('the parking rate (contract C13)', () => {
  it.each([
    ['the only one', [parking('12')], '12'],
    ['the smallest above 0', [parking('0'), parking('14'), parking('9')], '9'],
    ['also where it is a reduced rate', [parking('13'), reduced('13')], '13'],
    ['none', [parking('0')], undefined],
  ])('is %s', (_, rows, expected) => {
    expect(readGermany(...rows)?.parking).toBe(expected);
  });
});

describe('readNationalRates', () => {
  it('returns the Member States by country code, Greece as GR', () => {
    const rows = ['SK', 'EL', 'AT'].map((memberState) => standard('20', { memberState }));

    expect(readNationalRates(rows).entries.map(({ country }) => country)).toEqual([
      'AT',
      'GR',
      'SK',
    ]);
  });

  it('accepts only the registry code for Greece', () => {
    expect(readNationalRates([standard('24', { memberState: 'GR' })]).entries).toEqual([]);
  });

  it('reads the same rates from rows in another order, and from repeated rows', () => {
    const anyRow: fc.Arbitrary<TedbRow> = fc.record({
      memberState: fc.constantFrom(...memberStates.slice(0, 4).map((m) => m.registryCode), 'XI'),
      type: fc.constantFrom('STANDARD', 'REDUCED'),
      rateType: fc.constantFrom(
        'DEFAULT',
        'REDUCED_RATE',
        'SUPER_REDUCED_RATE',
        'PARKING_RATE',
        'EXEMPTED',
      ),
      value: fc.option(fc.constantFrom('0', '5', '9', '19', '21'), { nil: undefined }),
      situationDate: fc.constant('2026-07-01'),
      category: fc.constantFrom(undefined, 'REGION', 'FOODSTUFFS'),
      description: fc.constant(undefined),
      cnCodes: fc.constant([]),
      cpaCodes: fc.constant([]),
      comment: fc.constantFrom(undefined, 'VAT - Import - ', 'a note'),
    });
    const shuffled = fc
      .array(anyRow, { maxLength: 30 })
      .chain((rows) =>
        fc.tuple(
          fc.constant(rows),
          fc.shuffledSubarray([...rows, ...rows], { minLength: rows.length * 2 }),
        ),
      );

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
        const values = (entry?.reduced ?? []).map(Number);
        expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
        expect(new Set(values)).toEqual(
          new Set(others.map(Number).filter((value) => value !== Number(own))),
        );
      }),
    );
  });
});
