import { type IsoDate, isoDate } from '../../platform/time.ts';
import entries from '../data/fixings.json' with { type: 'json' };
import { lastPublicationDayOf } from './calendar.ts';

/** A currency's uninterrupted stay on the ECB's list. */
export interface Listing {
  readonly currency: string;
  readonly from: IsoDate;
  /** Undefined while the currency is still published. */
  readonly to: IsoDate | undefined;
  /** The decimals that the daily file pads a value to. */
  readonly decimals: number;
  /** How far a made-up value may be from the line between two real ones, as a share of it. */
  readonly noise: number;
  /** Real fixings in ascending order, the first and last of the listing among them. */
  readonly anchors: readonly Anchor[];
}

export interface Anchor {
  readonly date: IsoDate;
  readonly value: string;
}

export const usualDecimals = 4;
export const usualNoise = 0.003;

/** The day of the newest real value; every later one is generated. */
export const newestRealFixingDate: IsoDate = isoDate('2026-04-13');

/** Every listing, in the order in which the ECB prints its currencies. */
export const listings: readonly Listing[] = entries.map((entry) => {
  const { currency, first, yearEnds, last, decimals = usualDecimals, noise = usualNoise } = entry;
  const [from, to] = [toAnchor(first), toAnchor(last)];
  const firstYear = Number(from.date.slice(0, 4));
  const between = yearEnds
    .split(' ')
    .map((value, index) => ({ date: lastPublicationDayOf(firstYear + index), value }));
  return {
    currency,
    from: from.date,
    to: to.date === newestRealFixingDate ? undefined : to.date,
    decimals,
    noise,
    anchors: [from, ...between, to],
  };
});

/** `1999-01-04 1.1789`. */
function toAnchor(text: string): Anchor {
  const [date = '', value = ''] = text.split(' ');
  return { date: isoDate(date), value };
}
