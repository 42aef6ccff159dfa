import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time.ts';
import { judgeAge, judgeDate, judgeReading } from './gate.ts';
import { type CountryCode, memberStates } from './member-states.ts';
import type { RateEntry, RateSnapshot } from './snapshot.ts';
import type { TedbReading } from './tedb-rows.ts';

type Rates = Partial<Omit<RateEntry, 'country'>>;

const codes = memberStates.map(({ country }) => country);
const ordinary = { standard: '20', reduced: ['5', '10'], superReduced: '3', parking: '12' };

/** All Member States with the same rates, except one. */
function allBut(country: string, rates: Rates): RateEntry[] {
  return codes.map((code) => ({ country: code, ...ordinary, ...(code === country ? rates : {}) }));
}

const all = (rates: Rates = {}): RateEntry[] =>
  codes.map((c) => ({ country: c, ...ordinary, ...rates }));
const before = (entries: readonly RateEntry[]): RateSnapshot => ({
  version: isoDate('2026-11-19'),
  entries,
});
const reading = (entries: readonly RateEntry[]): TedbReading => ({
  entries,
  ambiguous: [],
  situationDate: '2026-07-01',
});

/** The judgement of a change of Hungary's rates, with all others unchanged. */
function judgeHungary(was: Rates, is: Rates): string[] {
  return judgeReading(reading(allBut('HU', is)), before(allBut('HU', was)));
}

describe('the gate on a single answer (contract C15)', () => {
  it.each(['15', '15.0001', '27', '29.9', '30'])('passes a standard rate of %s', (standard) => {
    const entries = allBut('HU', {
      standard,
      reduced: [],
      superReduced: undefined,
      parking: undefined,
    });

    expect(judgeReading(reading(entries), undefined)).toEqual([]);
  });

  it.each(['0', '7', '14.9999', '30.0001', '100'])('holds a standard rate of %s', (standard) => {
    const entries = allBut('HU', {
      standard,
      reduced: [],
      superReduced: undefined,
      parking: undefined,
    });

    expect(judgeReading(reading(entries), undefined)).toEqual([
      `HU: standard rate ${standard}, expected 15 to 30`,
    ]);
  });

  it.each<[string, Rates]>([
    ['reduced', { reduced: ['5', '19.9'] }],
    ['super-reduced', { superReduced: '19.99' }],
    ['parking', { parking: '19.999' }],
  ])('passes a %s rate just below the standard rate', (_, rates) => {
    expect(judgeReading(reading(allBut('HU', rates)), undefined)).toEqual([]);
  });

  it.each<[string, Rates, string]>([
    ['reduced', { reduced: ['5', '20'] }, '20'],
    ['reduced', { reduced: ['20.1'] }, '20.1'],
    ['super-reduced', { superReduced: '20' }, '20'],
    ['parking', { parking: '100' }, '100'],
  ])('holds a %s rate not below the standard rate: %j', (_, rates, rate) => {
    expect(judgeReading(reading(allBut('HU', rates)), undefined)).toEqual([
      `HU: reduced rate ${rate}, not below the standard rate 20`,
    ]);
  });

  it('passes a first answer with 20 countries and holds one with 19', () => {
    expect(judgeReading(reading(all().slice(0, 20)), undefined)).toEqual([]);
    expect(judgeReading(reading(all().slice(0, 19)), undefined)).toEqual([
      '19 countries have a standard rate, expected at least 20',
    ]);
  });

  it('holds an empty first answer', () => {
    expect(judgeReading(reading([]), undefined)).toEqual([
      '0 countries have a standard rate, expected at least 20',
    ]);
  });

  it('holds an answer in which a country is ambiguous', () => {
    const country = 'ES' as CountryCode;
    const entries = all().filter((entry) => entry.country !== 'ES');

    expect(
      judgeReading(
        { ...reading(entries), ambiguous: [{ country, standards: ['7', '21'] }] },
        undefined,
      ),
    ).toEqual(['ES: several standard rates (7, 21)']);
  });
});

describe('the age of an answer (reliability R5)', () => {
  it('holds an answer whose newest record is older than a known one', () => {
    expect(judgeAge(reading(all()), '2026-07-02')).toEqual([
      'an old answer: its newest record is of 2026-07-01, one of 2026-07-02 is known',
    ]);
  });

  it('passes an answer that is as new or newer, and one if an age is not known', () => {
    expect(judgeAge(reading(all()), '2026-07-01')).toEqual([]);
    expect(judgeAge(reading(all()), '2026-06-30')).toEqual([]);
    expect(judgeAge(reading(all()), undefined)).toEqual([]);
    expect(judgeAge({ ...reading([]), situationDate: undefined }, '2026-07-01')).toEqual([]);
  });
});

describe('the date of an answer (reliability R5)', () => {
  it('holds an answer with a record that began after the requested date', () => {
    expect(judgeDate(reading(all()), isoDate('2026-06-30'))).toEqual([
      'an answer for another date: its newest record is of 2026-07-01, the query was for 2026-06-30',
    ]);
  });

  it('passes an answer whose newest record began on that date or before, and one without records', () => {
    expect(judgeDate(reading(all()), isoDate('2026-07-01'))).toEqual([]);
    expect(judgeDate(reading(all()), isoDate('2026-11-21'))).toEqual([]);
    expect(judgeDate({ ...reading([]), situationDate: undefined }, isoDate('2026-11-21'))).toEqual(
      [],
    );
  });
});

describe('the gate on an answer and the snapshot before it (contract C15)', () => {
  it('passes an answer without changes', () => {
    expect(judgeReading(reading(all()), before(all()))).toEqual([]);
  });

  it('holds an answer that lacks a country of the snapshot', () => {
    const entries = all().filter(({ country }) => country !== 'HU');

    expect(judgeReading(reading(entries), before(all()))).toEqual([
      'HU: no standard rate, it was 20',
    ]);
  });

  it('passes a new country, and one that is missing in both', () => {
    const others = all().filter(({ country }) => country !== 'HU');

    expect(judgeReading(reading(all()), before(others))).toEqual([]);
    expect(judgeReading(reading(others), before(others))).toEqual([]);
  });

  it('reports an ambiguous country of the snapshot once', () => {
    const entries = all().filter(({ country }) => country !== 'HU');
    const ambiguous = [{ country: 'HU' as CountryCode, standards: ['20', '25'] }];

    expect(judgeReading({ ...reading(entries), ambiguous }, before(all()))).toEqual([
      'HU: several standard rates (20, 25)',
    ]);
  });

  it.each([
    ['20', '25'],
    ['25', '20'],
    ['15.1', '20.1'],
    ['27.43', '22.43'],
  ])('passes a standard rate that moves by 5 points: %s → %s', (was, is) => {
    expect(judgeHungary({ standard: was }, { standard: is })).toEqual([]);
  });

  it.each([
    ['20', '25.0001'],
    ['25.1', '20'],
    ['15', '30'],
  ])('holds a standard rate that moves by more than 5 points: %s → %s', (was, is) => {
    expect(judgeHungary({ standard: was }, { standard: is })).toEqual([
      `HU: standard rate ${was} → ${is}, a move of more than 5 points`,
    ]);
  });

  it('applies the limit of 5 points exactly to every rate of four decimals', () => {
    const tenThousandth = fc.integer({ min: 150_000, max: 250_000 });
    const text = (value: number): string => String(value / 10_000);
    const none = { reduced: [], superReduced: undefined, parking: undefined };
    const judge = (was: number, is: number): number =>
      judgeHungary({ ...none, standard: text(was) }, { ...none, standard: text(is) }).length;
    fc.assert(
      fc.property(tenThousandth, (low) => {
        expect([judge(low, low + 50_000), judge(low + 50_000, low)]).toEqual([0, 0]);
        fc.pre(low < 250_000);
        expect([judge(low, low + 50_001), judge(low + 50_001, low)]).toEqual([1, 1]);
      }),
      { numRuns: 50 },
    );
  });

  it('holds an answer in which a country loses all its reduced rates', () => {
    expect(judgeHungary({}, { reduced: [] })).toEqual([
      'HU: all reduced rates are gone, they were 5, 10',
    ]);
  });

  it('holds an answer in which a country loses its only reduced rate', () => {
    expect(judgeHungary({ reduced: ['9'] }, { reduced: [] })).toEqual([
      'HU: all reduced rates are gone, they were 9',
    ]);
  });

  it.each<[string, Rates, Rates]>([
    ['loses one of two reduced rates', {}, { reduced: ['5'] }],
    ['has other reduced rates', {}, { reduced: ['6'] }],
    ['has had none', { reduced: [] }, { reduced: [] }],
    ['loses its super-reduced rate', {}, { superReduced: undefined }],
    ['loses its parking rate', {}, { parking: undefined }],
  ])('passes an answer in which a country %s', (_, was, is) => {
    expect(judgeHungary(was, is)).toEqual([]);
  });

  it.each<[string, Rates, Rates, readonly string[]]>([
    [
      '12 becomes 1.2',
      { reduced: ['12'] },
      { reduced: ['1.2'] },
      ['reduced rate of 1.2, expected at least 5'],
    ],
    [
      'a super-reduced rate of 0.6',
      {},
      { superReduced: '0.6' },
      ['super-reduced rate of 0.6, expected at least 1.5'],
    ],
    ['4.9 as super-reduced rate, as in Austria', {}, { superReduced: '4.9' }, []],
    ['2.1 was super-reduced', { superReduced: '2.1' }, { reduced: ['2.1', '5'] }, []],
    ['4 stays', { reduced: ['4'] }, { reduced: ['4', '9'] }, []],
    ['5 is new', { reduced: ['9'] }, { reduced: ['5', '9'] }, []],
  ])('judges a new rate with a decimal point in the wrong place: %s', (_, was, is, reasons) => {
    expect(judgeHungary(was, is)).toEqual(reasons.map((reason) => `HU: a new ${reason}`));
  });

  it('passes 40 fields that move in one snapshot, and holds 41', () => {
    const twenty = all({ reduced: ['6', '11'] }).slice(0, 20);
    const others = all().slice(20);
    const oneMore = others.map((entry, at) => (at === 0 ? { ...entry, parking: '13' } : entry));

    expect(judgeReading(reading([...twenty, ...others]), before(all()))).toEqual([]);
    expect(judgeReading(reading([...twenty, ...oneMore]), before(all()))).toEqual([
      '41 fields moved at once, expected at most 40',
    ]);
  });

  it('reports all reasons', () => {
    const is = allBut('HU', { standard: '31', reduced: [], parking: '31' });

    expect(judgeReading(reading(is), before(all()))).toEqual([
      'HU: standard rate 31, expected 15 to 30',
      'HU: reduced rate 31, not below the standard rate 31',
      'HU: standard rate 20 → 31, a move of more than 5 points',
      'HU: all reduced rates are gone, they were 5, 10',
    ]);
  });
});
