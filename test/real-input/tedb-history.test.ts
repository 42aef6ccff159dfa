import { describe, expect, it } from 'vitest';
import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { memberStates } from '../../src/rates/member-states.ts';
import { hasCaptures, readJsonCapture, unlessAbsent } from './captures.ts';
import { changeDates, type Interval, readHistory, readOn } from './tedb-records.ts';

type CurrentRates = {
  readonly rates: Readonly<
    Record<
      string,
      {
        readonly standard: number;
        readonly reduced: readonly number[];
        readonly super_reduced_values: readonly number[];
        readonly parking_values: readonly number[];
      }
    >
  >;
};

/** The rule of contract C13, for plain numbers. */
function reduceByRule(values: {
  readonly standard: number;
  readonly reduced: readonly number[];
  readonly superReduced: readonly number[];
  readonly parking: readonly number[];
}) {
  const ascending = (list: readonly number[]): number[] =>
    [...new Set(list)].filter((value) => value > 0).sort((a, b) => a - b);
  const reduced = ascending(values.reduced).filter((value) => value !== values.standard);
  return {
    standard: values.standard,
    reduced,
    superReduced: ascending(values.superReduced).find((v) => !reduced.includes(v)) ?? null,
    parking: ascending(values.parking)[0] ?? null,
  };
}

/** The rates that vatfx reads for a date as numbers, by registry code. */
function numbersOn(date: IsoDate): Record<string, unknown> {
  const { entries, ambiguous } = readOn(date);
  expect(ambiguous).toEqual([]);
  const numberOrNull = (rate: string | undefined): number | null =>
    rate === undefined ? null : Number(rate);
  return Object.fromEntries(
    entries.map((entry) => [
      memberStates.find(({ country }) => country === entry.country)?.registryCode,
      {
        standard: Number(entry.standard),
        reduced: entry.reduced.map(Number),
        superReduced: numberOrNull(entry.superReduced),
        parking: numberOrNull(entry.parking),
      },
    ]),
  );
}

/** The rates of the intervals on a date as numbers, by registry code. */
function expectedOn(date: IsoDate): Record<string, unknown> {
  const valuesOn = (intervals: readonly Interval[]): number[] =>
    intervals
      .filter(({ from, to }) => from <= date && (to === null || date < to))
      .map(({ percent }) => Number(percent));
  return Object.fromEntries(
    Object.entries(readHistory().countries).map(([state, { standard, reduced }]) => {
      const ofClass = (name: string): number[] => valuesOn(reduced.filter((r) => r.class === name));
      const [rate = Number.NaN] = valuesOn(standard);
      return [
        state,
        reduceByRule({
          standard: rate,
          reduced: ofClass('REDUCED'),
          superReduced: ofClass('SUPER_REDUCED'),
          parking: ofClass('PARKING'),
        }),
      ];
    }),
  );
}

describe.skipIf(!hasCaptures)(
  `the real rates of the EU-27 since July 2023 (contract C13)${unlessAbsent}`,
  () => {
    it.each([...changeDates.map((date) => addDays(date, -1)), ...changeDates])(
      'are on %s the rates of the records, for each of the 27 Member States',
      (date) => {
        const numbers = numbersOn(date);

        expect(Object.keys(numbers)).toHaveLength(27);
        expect(numbers).toEqual(expectedOn(date));
      },
    );

    it('are on 2026-09-15 those of an independent list', () => {
      const { rates } = readJsonCapture('tedb/eu27-national-rates_2026-09-15.json') as CurrentRates;

      const expected = Object.entries(rates).map(([state, values]) => [
        state,
        reduceByRule({
          standard: values.standard,
          reduced: values.reduced,
          superReduced: values.super_reduced_values,
          parking: values.parking_values,
        }),
      ]);

      expect(numbersOn(isoDate('2026-09-15'))).toEqual(Object.fromEntries(expected));
    });
  },
);
