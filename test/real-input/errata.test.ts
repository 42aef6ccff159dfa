import { beforeAll, describe, expect, it } from 'vitest';
import { isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { daysFrom } from '../../src/rates/backfill.ts';
import { isSameValue, programErrata, valueOf } from '../../src/rates/errata/erratum.ts';
import { memberStates } from '../../src/rates/member-states.ts';
import type { RateEntry } from '../../src/rates/snapshot.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { readOn } from './tedb-records.ts';

/**
 * The standard rates of each Member State by law since 2016, with the first day of each. They are from a list that people
 * keep by hand, without TEDB: vat-rates of ibericode, in a copy that is older than the 21 % of Romania.
 */
const standardByLaw: Readonly<Record<string, string>> = {
  AT: '20',
  BE: '21',
  BG: '20',
  CY: '19',
  CZ: '21',
  DE: '19, 16 from 2020-07-01, 19 from 2021-01-01',
  DK: '25',
  EE: '20, 22 from 2024-01-01, 24 from 2025-07-01',
  ES: '21',
  FI: '24, 25.5 from 2024-09-01',
  FR: '20',
  GR: '23, 24 from 2016-06-01',
  HR: '25',
  HU: '27',
  IE: '23, 21 from 2020-09-01, 23 from 2021-03-01',
  IT: '22',
  LT: '21',
  LU: '17, 16 from 2023-01-01, 17 from 2024-01-01',
  LV: '21',
  MT: '18',
  NL: '21',
  PL: '23',
  PT: '23',
  RO: '20, 19 from 2017-01-01, 21 from 2025-08-01',
  SE: '25',
  SI: '22',
  SK: '20, 23 from 2025-01-01',
};

const first = isoDate('2016-01-01');
const last = isoDate('2026-09-15');

/** The national rates that vatfx reads from the captured records, by day and country. */
let captured: ReadonlyMap<IsoDate, ReadonlyMap<string, RateEntry>> = new Map();

/** The standard rate of a country by law on a day. */
function lawOn(country: string, day: IsoDate): string | undefined {
  const steps = (standardByLaw[country] ?? '').split(', ').map((step) => step.split(' from '));
  return steps.findLast(([, from = '']) => from <= day)?.[0];
}

/** Joins the days on which a text is the same: `DE 19, law 16: 184 days, 2020-07-01 to 2020-12-31`. */
function joinDays(found: readonly (readonly [text: string, day: IsoDate])[]): string[] {
  return [...Map.groupBy(found, ([text]) => text)]
    .map(([text, days]) => `${text}: ${days.length} days, ${days[0]?.[1]} to ${days.at(-1)?.[1]}`)
    .sort();
}

describe.skipIf(!hasCaptures)(`the errata beside the captured history${unlessAbsent}`, () => {
  beforeAll(() => {
    captured = new Map(
      daysFrom(first, last).map((day) => [
        day,
        new Map(readOn(day).entries.map((entry) => [entry.country, entry])),
      ]),
    );
  });

  it('are the only days on which a standard rate is not that of a list that people keep', () => {
    const found = memberStates.flatMap(({ country }) =>
      [...captured].flatMap(([day, entries]) => {
        const source = entries.get(country)?.standard;
        const law = lawOn(country, day);
        // TEDB's records of Slovenia and the Netherlands begin later in 2016.
        if (source === undefined || source === law) return [];
        return [[`${country} ${source}, law ${law}`, day] as const];
      }),
    );

    const errata = programErrata.filter(({ field }) => field === 'standard');
    expect(joinDays(found)).toEqual(
      errata
        .map(({ country, source, law, from, to }) => {
          const days = daysFrom(from, to ?? last).length;
          return `${country} ${String(source)}, law ${String(law)}: ${days} days, ${from} to ${to}`;
        })
        .sort(),
    );
  });

  it.each(programErrata)('have what TEDB reports on each day: $country $field $from', (erratum) => {
    const { country, field, from, to, source } = erratum;
    const others = daysFrom(from, to ?? last).filter((day) => {
      const entry = captured.get(day)?.get(country);
      return entry === undefined || !isSameValue(valueOf(entry, field), source);
    });

    expect(others).toEqual([]);
  });

  it('are all gaps of national rates: a kind of rate that vanishes and returns as it was', () => {
    const found = memberStates.flatMap(({ country }) =>
      (['reduced', 'super_reduced', 'parking'] as const).flatMap((field) => {
        const runs: { value: string; from: IsoDate; to: IsoDate }[] = [];
        for (const [day, entries] of captured) {
          const entry = entries.get(country);
          if (entry === undefined) continue;
          const value = JSON.stringify(valueOf(entry, field));
          const run = runs.at(-1);
          if (run?.value === value) run.to = day;
          else runs.push({ value, from: day, to: day });
        }
        return runs.flatMap((run, at) => {
          const isGap = ['[]', 'null'].includes(run.value) && at > 0;
          if (!isGap || runs[at - 1]?.value !== runs[at + 1]?.value) return [];
          return `${country} ${field}: ${run.from} to ${run.to}`;
        });
      }),
    );

    const errata = programErrata.map(
      ({ country, field, from, to }) => `${country} ${field}: ${from} to ${to}`,
    );
    expect(found).toHaveLength(2);
    expect(found.filter((gap) => !errata.includes(gap))).toEqual([]);
  });
});
