import type { IsoDate } from '../../platform/time.ts';
import { isoDate } from '../../platform/time.ts';
import type { RateScript } from '../scenario/scenario.ts';
import type { RateField, RateInterval } from '../scenario/rate-history.ts';
import { firstSituationDate, rateFields, rateHistory } from '../scenario/rate-history.ts';

/**
 * Situations: the records of a Member State in the database, each with the day from which it holds.
 *
 * A Member State confirms its rates on 1 January and mostly on 1 July, and adds a record whenever one
 * changes. A row's `situationOn` is that day, never the day that was asked for.
 */

/** The values of every field on one day; a field without values is absent from the country's rates. */
export type RatesInForce = Readonly<Record<RateField, readonly string[]>>;

/** The EU-27 by registry code, in alphabetical order. */
export const memberStates: readonly string[] = Object.keys(rateHistory);

// What else the service answers: Northern Ireland for the protocol, and a record of the United
// Kingdom that ended and is shown as if it had not. `GB` is asked for, `UK` is answered.
const otherHistory: Readonly<Record<string, readonly RateInterval[]>> = {
  XI: [
    ['standard', '20', '2021-07-01'],
    ['reduced', '0', '2021-07-01', '2023-07-01'],
    ['reduced', '5', '2021-07-01'],
  ],
  UK: [
    ['standard', '20', '2016-01-01'],
    ['reduced', '0', '2016-01-01'],
    ['reduced', '5', '2016-01-01'],
  ],
};
const lastUkRecord = isoDate('2020-01-01');

// These were seen to leave out the record of 1 July.
const yearlyOnly: readonly string[] = ['CY', 'DK', 'EL', 'FR', 'IE', 'IT', 'LU', 'XI'];

// Records that brought no new national value, seen in answers.
const extraRecords: Readonly<Record<string, readonly string[]>> = {
  BE: ['2022-09-09', '2025-07-29'],
  EL: ['2021-07-31', '2021-10-01'],
  HR: ['2022-04-01'],
  LV: ['2021-01-09'],
  MT: ['2022-04-05'],
};

/** The registry code that an asked code is answered with, or null when the service knows none. */
export function answeredCode(asked: string): string | null {
  if (asked === 'GB') return 'UK';
  return asked in rateHistory || asked === 'XI' ? asked : null;
}

/** The days on which the records of a Member State begin, from its first to `until`, ascending. */
export function situationDates(
  state: string,
  until: IsoDate,
  scripts: readonly RateScript[],
): readonly IsoDate[] {
  const history = historyOf(state);
  const first = history[0]?.[2] ?? firstSituationDate;
  const changes = history.flatMap(([, , from, to]) => (to === undefined ? [from] : [from, to]));
  const scripted = scripts.filter(({ country }) => country === state).map(({ from }) => from);
  const dates = new Set<string>([
    ...changes,
    ...(extraRecords[state] ?? []),
    ...scripted,
    ...confirmations(state, until),
  ]);

  const end = state === 'UK' && until > lastUkRecord ? lastUkRecord : until;
  return [...dates]
    .filter((date) => date >= first && date <= end)
    .sort()
    .map(isoDate);
}

/** The values of every field of a Member State on a day, as text without trailing zeros. */
export function ratesInForce(
  state: string,
  date: IsoDate,
  scripts: readonly RateScript[],
): RatesInForce {
  return Object.fromEntries(
    rateFields.map((field) => [field, fieldInForce(state, field, date, scripts)]),
  ) as RatesInForce;
}

function fieldInForce(
  state: string,
  field: RateField,
  date: IsoDate,
  scripts: readonly RateScript[],
): readonly string[] {
  const scripted = scripts
    .filter((one) => one.country === state && one.field === field && one.from <= date)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1);
  if (scripted !== undefined) return scripted.values;

  return historyOf(state)
    .filter(([name, , from, to]) => name === field && from <= date && (to ?? '9999') > date)
    .map(([, value]) => value);
}

function historyOf(state: string): readonly RateInterval[] {
  return rateHistory[state] ?? otherHistory[state] ?? [];
}

function confirmations(state: string, until: IsoDate): readonly string[] {
  const lastYear = Number(until.slice(0, 4));
  const dates: string[] = [];
  for (let year = Number(firstSituationDate.slice(0, 4)); year <= lastYear; year += 1) {
    dates.push(`${year}-01-01`);
    if (!yearlyOnly.includes(state)) dates.push(`${year}-07-01`);
  }
  return dates;
}
