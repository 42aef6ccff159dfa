import type { IsoDate } from '../../platform/time.ts';
import { daysBetween } from '../../platform/time.ts';
import { firstFixingDate } from './calendar.ts';
import { type Listing, listings, usualDecimals, usualNoise } from './listings.ts';
import { unitNoise } from '../data/noise.ts';

/**
 * The generated series of euro reference rates.
 *
 * Only the anchors in `data/fixings.json` are real: first, year-end and last fixings. Every value
 * between two anchors is made up: it is at most 0.3 % away from the geometric line between them. After
 * the last anchor, values swing around it by at most 4 %. A value depends only on its date and currency,
 * so that it is the same in every file and on every run.
 */

/** One value of one day: units of the currency per 1 EUR, without trailing zeros. */
export interface Fixing {
  readonly currency: string;
  readonly value: string;
}

/** Every value of one publication day, in the ECB's order. */
export function fixingsOn(date: IsoDate): readonly Fixing[] {
  const day = dayNumber(date);
  return curves
    .filter((curve) => day >= curve.firstDay && day <= curve.lastDay)
    .map((curve) => ({ currency: curve.listing.currency, value: valueOn(curve, day) }));
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

interface Curve {
  readonly listing: Listing;
  readonly firstDay: number;
  /** Infinity while the currency is published. */
  readonly lastDay: number;
  readonly points: readonly {
    readonly day: number;
    readonly value: string;
    readonly logarithm: number;
  }[];
}

const curves: readonly Curve[] = listings.map(toCurve);

function toCurve(listing: Listing): Curve {
  return {
    listing,
    firstDay: dayNumber(listing.from),
    lastDay: listing.to === undefined ? Infinity : dayNumber(listing.to),
    points: listing.anchors.map(({ date, value }) => ({
      day: dayNumber(date),
      value,
      logarithm: Math.log(Number(value)),
    })),
  };
}

function valueOn(curve: Curve, day: number): string {
  const { listing } = curve;
  const after = curve.points.findIndex((point) => point.day >= day);
  const next = curve.points[after];
  if (next?.day === day) return next.value;

  const previous = after === -1 ? curve.points.at(-1) : curve.points[after - 1];
  if (previous === undefined) throw new Error(`sandbox: no anchor of ${listing.currency}`);

  const slope =
    next === undefined
      ? swing(listing, day - previous.day)
      : ((next.logarithm - previous.logarithm) * (day - previous.day)) / (next.day - previous.day);
  const noise = listing.noise * unitNoise(listing.currency, day);
  const value = Math.exp(previous.logarithm + slope + noise);
  return stripZeros(value.toFixed(listing.decimals));
}

/** A wave of two years that starts at 0 on the last anchor; its height depends on the currency. */
function swing({ currency, noise }: Listing, days: number): number {
  // A currency that is bound to the euro does not swing.
  if (noise < usualNoise) return 0;
  const height = 0.04 * unitNoise(currency, 0);
  return height * Math.sin((2 * Math.PI * days) / 731);
}

function dayNumber(date: IsoDate): number {
  return daysBetween(firstFixingDate, date);
}
