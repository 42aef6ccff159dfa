import type { IsoDate } from '../../platform/time/time.ts';
import { dayNumber, type Listing, listings, usualDecimals, usualNoise } from './listings.ts';
import { unitNoise } from '../data/noise.ts';

/**
 * The generated series of euro reference rates.
 *
 * Only the anchors in `data/fixings.json` are real: first, year-end and last fixings. Values between two
 * anchors are made up; they are at most 0.3 % away from the geometric line between the anchors. After the
 * last anchor, values swing around it by at most 4 %. A value depends only on its date and currency, so
 * it is the same in every file and on every run.
 */

/** One value of one day: units of the currency per 1 EUR, without trailing zeros. */
export interface Fixing {
  readonly currency: string;
  readonly value: string;
}

/** Every value of one publication day, in the ECB's order. */
export function fixingsOn(date: IsoDate): readonly Fixing[] {
  const day = dayNumber(date);
  return listings
    .filter((listing) => day >= listing.firstDay && day <= listing.lastDay)
    .map((listing) => ({ currency: listing.currency, value: valueOn(listing, day) }));
}

/** The decimals that the daily file pads a currency's value to. */
export function decimalsOf(currency: string): number {
  return decimals.get(currency) ?? usualDecimals;
}

const decimals = new Map(listings.map((listing) => [listing.currency, listing.decimals]));

/** 0.30 becomes 0.3 and 7.00 becomes 7, as in the 90-day file and the history. */
export function stripZeros(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}

function valueOn({ currency, decimals, noise, anchors }: Listing, day: number): string {
  const nextIndex = anchors.findIndex((anchor) => anchor.day >= day);
  const next = anchors[nextIndex];
  if (next?.day === day) return next.value;

  const previous = anchors.at(next === undefined ? -1 : nextIndex - 1);
  if (previous === undefined) throw new Error(`sandbox: no anchor of ${currency}`);

  const start = Math.log(Number(previous.value));
  const slope =
    next === undefined
      ? swing(currency, noise, day - previous.day)
      : ((Math.log(Number(next.value)) - start) * (day - previous.day)) / (next.day - previous.day);
  const value = Math.exp(start + slope + noise * unitNoise(currency, day));
  return stripZeros(value.toFixed(decimals));
}

/** A wave of two years that starts at 0 on the last anchor; its height depends on the currency. */
function swing(currency: string, noise: number, days: number): number {
  // A currency that is bound to the euro does not swing.
  if (noise < usualNoise) return 0;
  const height = 0.04 * unitNoise(currency, 0);
  return height * Math.sin((2 * Math.PI * days) / 731);
}
