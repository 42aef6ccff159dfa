import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time/time.ts';
import { judgeAge, judgeDate, judgeReading } from './gate.ts';
import { type CountryCode, memberStates } from './member-states.ts';
import type { RateEntry } from './snapshot.ts';
import type { TedbReading } from './tedb-rows.ts';

const usual = '20 | 5 10 | 3 | 12';

/** A country's rates in the form `standard | reduced reduced | super-reduced | parking`. */
function readRates(text: string, country: CountryCode): RateEntry {
  const [standard = '', reduced = '', superReduced, parking] = text
    .split('|')
    .map((part) => part.trim());
  const list = reduced === '' ? [] : reduced.split(' ');
  const others = { superReduced: superReduced || undefined, parking: parking || undefined };
  return { country, standard, reduced: list, ...others };
}

/** All Member States with the usual rates, but for Hungary. */
const allBut = (hungary: string): RateEntry[] =>
  memberStates.map(({ country }) => readRates(country === 'HU' ? hungary : usual, country));
const all = allBut(usual);
const withoutHungary = all.filter(({ country }) => country !== 'HU');

type Ambiguous = TedbReading['ambiguous'];
const reading = (entries: readonly RateEntry[], ambiguous: Ambiguous = []): TedbReading => ({
  entries,
  ambiguous,
  situationDate: '2026-07-01',
});
const judge = (is: readonly RateEntry[], was?: readonly RateEntry[], ambiguous?: Ambiguous) =>
  judgeReading(
    reading(is, ambiguous),
    was === undefined ? undefined : { version: isoDate('2026-11-19'), entries: was },
  );

describe('the gate on a single answer (contract C15)', () => {
  it.each([
    ['15', []],
    ['30', []],
    ['15.0001', []],
    ['14.9999', ['HU: standard rate 14.9999, expected 15 to 30']],
    ['30.0001', ['HU: standard rate 30.0001, expected 15 to 30']],
    ['0', ['HU: standard rate 0, expected 15 to 30']],
    ['20 | 5 19.9 | 19.99 | 19.999', []],
    ['20 | 5 20', ['HU: reduced rate 20, not below the standard rate 20']],
    ['20 | 20.1', ['HU: reduced rate 20.1, not below the standard rate 20']],
    ['20 | 5 | 20', ['HU: reduced rate 20, not below the standard rate 20']],
    ['20 | 5 | 3 | 100', ['HU: reduced rate 100, not below the standard rate 20']],
  ])('judges the rates %s', (hungary, reasons) => {
    expect(judge(allBut(hungary))).toEqual(reasons);
  });

  it.each([
    [20, []],
    [19, ['19 countries have a standard rate, expected at least 20']],
    [0, ['0 countries have a standard rate, expected at least 20']],
  ])('judges a first answer with %i countries', (count, reasons) => {
    expect(judge(all.slice(0, count))).toEqual(reasons);
  });

  it('holds an answer in which a country is ambiguous', () => {
    const ambiguous = [{ country: 'HU' as CountryCode, standards: ['7', '21'] }];
    const reasons = ['HU: several standard rates (7, 21)'];

    expect(judge(withoutHungary, undefined, ambiguous)).toEqual(reasons);
    expect(judge(withoutHungary, all, ambiguous)).toEqual(reasons);
  });
});

describe('values that an operator approved are not held again (contract C15)', () => {
  it.each([
    ['31', '31', []],
    ['14 | 5', '14 | 6', []],
    ['31', '31.5', ['HU: standard rate 31.5, expected 15 to 30']],
    ['20 | 5 21', '20 | 5 21', []],
    ['20 | 5 21', '20 | 5 22', ['HU: reduced rate 22, not below the standard rate 20']],
    ['22 | 21', '20 | 21', ['HU: reduced rate 21, not below the standard rate 20']],
    ['20 | 2 5', '20 | 2 6', []],
  ])('%s is published, the answer has %s', (was, is, reasons) => {
    expect(judge(allBut(is), allBut(was))).toEqual(reasons);
  });

  it('a country without one standard rate is not held again', () => {
    const ambiguous = [{ country: 'HU' as CountryCode, standards: ['7', '21'] }];
    expect(judge(withoutHungary, withoutHungary, ambiguous)).toEqual([]);
  });
});

describe('the age and the date of an answer (reliability R5)', () => {
  const old = (known: string) => [
    `an old answer: its newest record is of 2026-07-01, one of ${known} is known`,
  ];
  const other = (asked: string) => [
    `an answer for another date: its newest record is of 2026-07-01, the query was for ${asked}`,
  ];

  it('are held if its newest record is older than a known one, or began after the date', () => {
    const ages = ['2026-07-02', '2026-07-01', '2026-06-30', undefined].map((known) =>
      judgeAge(reading(all), known),
    );
    const dates = ['2026-06-30', '2026-07-01', '2026-11-21'].map((asked) =>
      judgeDate(reading(all), isoDate(asked)),
    );

    expect(ages).toEqual([old('2026-07-02'), [], [], []]);
    expect(dates).toEqual([other('2026-06-30'), [], []]);
  });

  it('are passed if the answer has no record', () => {
    const empty = { ...reading([]), situationDate: undefined };

    expect(judgeAge(empty, '2026-07-01')).toEqual([]);
    expect(judgeDate(empty, isoDate('2026-11-21'))).toEqual([]);
  });
});

describe('the gate on an answer and the snapshot before it (contract C15)', () => {
  const moved = (was: string, is: string) =>
    `HU: standard rate ${was} → ${is}, a move of more than 5 points`;

  it.each([
    ['nothing', usual, usual, []],
    ['5 points', '20', '25', []],
    ['5 points down', '25', '20', []],
    ['5 points that binary numbers do not have', '15.1', '20.1', []],
    ['5 points down, in decimals', '27.43', '22.43', []],
    ['more than 5 points', '20', '25.0001', [moved('20', '25.0001')]],
    ['more than 5 points down', '25.1', '20', [moved('25.1', '20')]],
    ['all reduced rates', usual, '20', ['HU: all reduced rates are gone, they were 5, 10']],
    ['the only reduced rate', '20 | 9', '20', ['HU: all reduced rates are gone, they were 9']],
    ['one of two reduced rates', usual, '20 | 5 | 3 | 12', []],
    ['a reduced rate', usual, '20 | 6 | 3 | 12', []],
    ['no reduced rate', '20', '20', []],
    ['the super-reduced rate', usual, '20 | 5 10 | | 12', []],
    ['the parking rate', usual, '20 | 5 10 | 3', []],
    ['12 to 1.2', '20 | 12', '20 | 1.2', ['HU: a new reduced rate of 1.2, expected at least 5']],
    [
      'the super-reduced rate to 0.6',
      usual,
      '20 | 5 10 | 0.6 | 12',
      ['HU: a new super-reduced rate of 0.6, expected at least 1.5'],
    ],
    ['the super-reduced rate to 4.9, as in Austria', usual, '20 | 5 10 | 4.9 | 12', []],
    ['a super-reduced rate to a reduced one', '20 | 5 | 2.1', '20 | 2.1 5', []],
    ['nothing of a low reduced rate', '20 | 4', '20 | 4 9', []],
    ['a reduced rate to the lowest', '20 | 9', '20 | 5 9', []],
    [
      'everything',
      usual,
      '31 | | 3 | 31',
      [
        'HU: standard rate 31, expected 15 to 30',
        'HU: reduced rate 31, not below the standard rate 31',
        moved('20', '31'),
        'HU: all reduced rates are gone, they were 5, 10',
      ],
    ],
  ])('judges a move of %s: %s → %s', (_, was, is, reasons) => {
    expect(judge(allBut(is), allBut(was))).toEqual(reasons);
  });

  it('holds an answer that lacks a country of the snapshot, and passes a new one', () => {
    expect(judge(withoutHungary, all)).toEqual(['HU: no standard rate, it was 20']);
    expect(judge(all, withoutHungary)).toEqual([]);
    expect(judge(withoutHungary, withoutHungary)).toEqual([]);
  });

  it('passes 40 fields that move in one snapshot, and holds 41', () => {
    const forty = all.map((entry, at) => (at < 20 ? { ...entry, reduced: ['6', '11'] } : entry));
    const oneMore = forty.map((entry, at) => (at === 20 ? { ...entry, parking: '13' } : entry));

    expect(judge(forty, all)).toEqual([]);
    expect(judge(oneMore, all)).toEqual(['41 fields moved at once, expected at most 40']);
  });
});
