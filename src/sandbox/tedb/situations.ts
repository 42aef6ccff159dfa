import { type IsoDate, isoDate } from '../../platform/time/time.ts';
import records from '../data/tedb-records.json' with { type: 'json' };
import { firstSituationDate, historyOf, memberStates } from '../data/vat-rates.ts';
import type { RateScript } from '../scenario/rates-in-force.ts';

/**
 * Situations: the records of a Member State in the database, each with the day from which it holds.
 *
 * A Member State confirms its rates on 1 January and mostly on 1 July, and adds a record whenever a
 * rate changes. A row's `situationOn` is that day, never the day of the request.
 */

const lastUkRecord = isoDate('2020-01-01');

const extraRecords: Readonly<Record<string, readonly string[]>> = records.extraRecords;

/** The registry code in the answer to a requested code; undefined if the service has no such code. */
export function answeredCode(requested: string): string | undefined {
  if (requested === 'GB') return 'UK';
  return memberStates.includes(requested) || requested === 'XI' ? requested : undefined;
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

function confirmations(state: string, until: IsoDate): readonly string[] {
  const firstYear = Number(firstSituationDate.slice(0, 4));
  const count = Math.max(0, Number(until.slice(0, 4)) - firstYear + 1);
  const days = records.yearlyOnly.includes(state) ? ['01-01'] : ['01-01', '07-01'];
  return Array.from({ length: count }, (_, index) =>
    days.map((day) => `${firstYear + index}-${day}`),
  ).flat();
}
