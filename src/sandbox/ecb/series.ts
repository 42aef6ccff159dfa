import type { IsoDate } from '../../platform/time.ts';
import { daysBetween } from '../../platform/time.ts';
import { firstFixingDate } from './calendar.ts';
import type { Listing } from './listings.ts';
import { listings } from './listings.ts';
import { unitNoise } from '../data/noise.ts';

/**
 * The generated series of euro reference rates.
 *
 * Only the anchors in `ecb-fixings.ts` are real: first, year-end and last fixings. Every value
 * between them is made up: it follows the geometric line between the two anchors, moved by at most
 * 0.3 %. After the last anchor it swings around it by at most 4 %. A value depends on its date and
 * currency alone, so that every file, every day and every run shows the same.
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
    .map((curve) => ({ currency: curve.currency, value: valueOn(curve, day) }));
}

/** The decimals that the daily file pads a currency's value to. */
export function decimalsOf(currency: string): number {
  return decimals[currency] ?? 4;
}

/** 0.30 and 7.00 lose their zeros: the spelling of the 90-day file and of the history. */
export function stripZeros(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}

const decimals: Readonly<Record<string, number>> = {
  JPY: 2,
  HUF: 2,
  ISK: 2,
  IDR: 2,
  KRW: 2,
  CZK: 3,
  SKK: 3,
  PHP: 3,
  THB: 3,
  GBP: 5,
  CYP: 5,
  ROL: 0,
  TRL: 0,
};

// Currencies bound to the euro hardly move; 0.3 % noise would show a peg that never existed.
const noiseShare: Readonly<Record<string, number>> = {
  EEK: 0,
  BGN: 0.00002,
  LTL: 0.00002,
  DKK: 0.0002,
  SIT: 0.0005,
  MTL: 0.0005,
  CYP: 0.001,
  LVL: 0.001,
};
const usualNoiseShare = 0.003;

interface Curve {
  readonly currency: string;
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
    currency: listing.currency,
    firstDay: dayNumber(listing.from),
    lastDay: listing.to === null ? Infinity : dayNumber(listing.to),
    points: listing.anchors.map(({ date, value }) => ({
      day: dayNumber(date),
      value,
      logarithm: Math.log(Number(value)),
    })),
  };
}

function valueOn(curve: Curve, day: number): string {
  const after = curve.points.findIndex((point) => point.day >= day);
  const next = curve.points[after];
  if (next?.day === day) return next.value;

  const previous = after === -1 ? curve.points.at(-1) : curve.points[after - 1];
  if (previous === undefined) throw new Error(`sandbox: no anchor of ${curve.currency}`);

  const slope =
    next === undefined
      ? swing(curve.currency, day - previous.day)
      : ((next.logarithm - previous.logarithm) * (day - previous.day)) / (next.day - previous.day);
  const noise = (noiseShare[curve.currency] ?? usualNoiseShare) * unitNoise(curve.currency, day);
  const value = Math.exp(previous.logarithm + slope + noise);
  return stripZeros(value.toFixed(decimalsOf(curve.currency)));
}

/** A slow wave that starts at 0 on the last anchor: about two years long, its height by currency. */
function swing(currency: string, days: number): number {
  if ((noiseShare[currency] ?? usualNoiseShare) < usualNoiseShare) return 0;
  const height = 0.04 * unitNoise(currency, 0);
  return height * Math.sin((2 * Math.PI * days) / 731);
}

function dayNumber(date: IsoDate): number {
  return daysBetween(firstFixingDate, date);
}
