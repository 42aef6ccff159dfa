import { daysBetween, type IsoDate, isoDate } from '../../platform/time/time.ts';
import entries from '../data/fixings.json' with { type: 'json' };
import { firstFixingDate, lastPublicationDayOf } from './calendar.ts';

/** An uninterrupted time for which a currency is on the ECB's list. */
export interface Listing {
  readonly currency: string;
  /** The number of the first day, see {@link dayNumber}. */
  readonly firstDay: number;
  /** Infinity while the currency is still published. */
  readonly lastDay: number;
  /** The decimals that the daily file pads a value to. */
  readonly decimals: number;
  /** The largest distance of a made-up value from the line between two real ones, as a share of it. */
  readonly noise: number;
  /** Real fixings in ascending order, the first and last of the listing included. */
  readonly anchors: readonly Anchor[];
}

export interface Anchor {
  readonly date: IsoDate;
  readonly day: number;
  readonly value: string;
}

export const usualDecimals = 4;
export const usualNoise = 0.003;

/** The date of the newest real value; all later values are generated. */
export const newestRealFixingDate: IsoDate = isoDate('2026-04-13');

/** Every listing, in the order in which the ECB prints its currencies. */
export const listings: readonly Listing[] = entries.map((entry) => {
  const { currency, first, yearEnds, last, decimals = usualDecimals, noise = usualNoise } = entry;
  const [from, to] = [readAnchor(first), readAnchor(last)];
  const firstYear = Number(from.date.slice(0, 4));
  const between = yearEnds
    .split(' ')
    .map((value, index) => toAnchor(lastPublicationDayOf(firstYear + index), value));
  return {
    currency,
    firstDay: from.day,
    lastDay: to.date === newestRealFixingDate ? Infinity : to.day,
    decimals,
    noise,
    anchors: [from, ...between, to],
  };
});

/** Days since the first fixing of all. */
export function dayNumber(date: IsoDate): number {
  return daysBetween(firstFixingDate, date);
}

/** Reads a text like `1999-01-04 1.1789`. */
function readAnchor(text: string): Anchor {
  const [date = '', value = ''] = text.split(' ');
  return toAnchor(isoDate(date), value);
}

function toAnchor(date: IsoDate, value: string): Anchor {
  return { date, day: dayNumber(date), value };
}
