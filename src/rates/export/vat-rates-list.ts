import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import { addDays, type IsoDate } from '../../platform/time/time.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import { parseSnapshot, type RateEntry } from '../snapshot.ts';
import { rateSnapshots } from '../store.ts';
import { territories } from '../territories/territory.ts';
import { listLeftOut, listRates, listTerritoryPlaces, type PlaceRate } from './places.ts';
import { printExpression } from './postcode-patterns.ts';

/** The days that are read between two turns of the event loop: half a megabyte. */
const daysAtOnce = 60;

/** A printed period, and the territories that it leaves out. */
type Period = {
  readonly effectiveFrom: IsoDate;
  readonly content: string;
  readonly leftOut: readonly string[];
};

/** The periods of each country, newest first. */
type Periods = Map<string, Period[]>;

/**
 * Prints the rates of all days up to the newest as periods, in the form of the list that many programs read
 * (ibericode/vat-rates).
 *
 * The periods begin with the oldest day from which on no day is missing, and for a country with the oldest from which on it has
 * had a standard rate on each day: the form has no end of a period, so a gap would look like a rate.
 */
export async function printVatRatesList(db: Db, newest: IsoDate): Promise<string> {
  const dates = await rateSnapshots.listDates(db, { from: undefined, to: newest });
  const first = findFirstOfRun(dates, newest);
  const periods: Periods = new Map();
  let known = '';
  for (let from = first; from <= newest; from = addDays(from, daysAtOnce)) {
    const last = addDays(from, daysAtOnce - 1);
    const to = last < newest ? last : newest;
    for (const body of await rateSnapshots.listBodies(db, { from, to })) {
      // A body begins with {"version":"2026-11-20"; the rest is the same on most days, so few bodies are parsed.
      const rates = body.slice(23);
      if (rates !== known || territoriesChangeOn.has(body.slice(12, 22))) addDay(periods, body);
      known = rates;
    }
    await setImmediate();
  }
  return printList(periods, { first, newest });
}

/** The days from which on the rates of a territory hold. */
const territoriesChangeOn: ReadonlySet<string | null | undefined> = new Set(
  territories.map(({ rates }) => rates?.since),
);

/** The oldest of the dates between which and the newest none is missing. */
function findFirstOfRun(dates: readonly IsoDate[], newest: IsoDate): IsoDate {
  let first = newest;
  for (const date of dates.toReversed()) {
    if (date < addDays(first, -1)) break;
    first = date;
  }
  return first;
}

function addDay(periods: Periods, body: string): void {
  const { version, entries } = parseSnapshot(body);
  const present = new Set<string>(entries.map(({ country }) => country));
  for (const country of periods.keys()) if (!present.has(country)) periods.delete(country);
  for (const entry of entries) {
    const own = periods.get(entry.country) ?? [];
    const content = printContent(entry, version);
    if (own[0]?.content !== content) {
      own.unshift({ effectiveFrom: version, content, leftOut: listLeftOut(entry, version) });
    }
    periods.set(entry.country, own);
  }
}

/** The rates of a country on a day and those of its territories, as the inner text of an object. */
function printContent(entry: RateEntry, date: IsoDate): string {
  const exceptions = listTerritoryPlaces(entry, date).map(
    ({ name, country, postcodes, rates }) => ({
      name,
      postcode: printExpression(postcodes, country),
      ...toFields(rates),
    }),
  );
  const content = {
    rates: toFields(listRates(entry)),
    ...(exceptions.length === 0 ? {} : { exceptions }),
  };
  return JSON.stringify(content).slice(1, -1);
}

/** Rates by the names of that list: `reduced`, or `reduced1` and `reduced2` if there are several. */
function toFields(rates: readonly PlaceRate[]): Readonly<Record<string, object>> {
  const reduced = rates.filter(({ kind }) => kind.endsWith('reduced') && kind !== 'super-reduced');
  return Object.fromEntries(
    rates.map((one) => {
      const at = reduced.indexOf(one);
      const name =
        at < 0 ? one.kind.replace('-', '_') : reduced.length === 1 ? 'reduced' : `reduced${at + 1}`;
      return [name, jsonNumber(one.rate)];
    }),
  );
}

function printList(
  periods: Periods,
  { first, newest }: { readonly first: IsoDate; readonly newest: IsoDate },
): string {
  const leftOut = new Set([...periods.values()].flat().flatMap((period) => period.leftOut));
  const details = [
    `VAT rates of each day from ${first} to ${newest} by TEDB, the database of the European Commission.`,
    'Earlier rates are not in the list; /rates/errata has the known errors of TEDB.',
    ...(leftOut.size === 0
      ? []
      : [
          `Periods in which a territory has no rate for a kind of its country are without it: ${[...leftOut].join(', ')}.`,
        ]),
  ].join(' ');
  const items = [...periods]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, own]) => {
      const printed = own.map(
        ({ effectiveFrom, content }) => `{"effective_from":"${effectiveFrom}",${content}}`,
      );
      return `"${country}":[${printed.join(',')}]`;
    });
  return `{"details":${JSON.stringify(details)},"version":null,"items":{${items.join(',')}}}`;
}
