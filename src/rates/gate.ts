import { boundSentences } from '../platform/values/quote.ts';
import { compareDecimals } from '../platform/values/decimal.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { diffSnapshots } from './diff.ts';
import type { RateEntry, RateSnapshot } from './snapshot.ts';
import type { TedbReading } from './tedb-rows.ts';

/** Limits of plausibility: an answer outside of them is held (contract C15). */
const limits = {
  standardMin: 15,
  standardMax: 30,
  standardMoveMax: 5,
  /** Of a new rate: a lower one is a decimal point in the wrong place (art. 98 of the Directive). */
  newReducedMin: 5,
  newSuperReducedMin: 1.5,
  movedFieldsMax: 40,
  firstCountriesMin: 20,
  /** The rounding error of binary numbers in a difference: 20.1 - 15.1 is 5.000000000000002. */
  tolerance: 1e-9,
} as const;

/**
 * All reasons against an answer: its content, its date and its age (contract C15, reliability R5).
 *
 * @param context The queried date, the newest stored snapshot, and the newest situation date that is known; undefined if
 *   an answer is judged by itself.
 */
export function judgeAnswer(
  reading: TedbReading,
  context: {
    readonly asked: IsoDate;
    readonly previous: RateSnapshot | undefined;
    readonly situationDate: string | undefined;
  },
): string[] {
  return boundSentences([
    ...judgeReading(reading, context.previous),
    ...judgeDate(reading, context.asked),
    ...judgeAge(reading, context.situationDate),
  ]);
}

/**
 * The plausibility gate: the reasons against an answer; none if it is plausible (contract C15).
 *
 * Only here do decimals become numbers, to be compared with a limit; no such number is published.
 *
 * @param previous The newest stored snapshot; undefined for the first one, which is judged without a comparison.
 */
export function judgeReading(reading: TedbReading, previous: RateSnapshot | undefined): string[] {
  const published = new Map(previous?.entries.map((entry) => [entry.country, entry]));
  return [
    ...reading.ambiguous
      .filter(({ country }) => previous === undefined || published.has(country))
      .map(
        ({ country, standards }) => `${country}: several standard rates (${standards.join(', ')})`,
      ),
    ...reading.entries.flatMap((entry) => judgeEntry(entry, published.get(entry.country))),
    ...(previous === undefined ? judgeFirst(reading) : judgeAgainst(previous, reading)),
  ];
}

/**
 * Whether an answer is old: each of its records began before the newest record that we have seen.
 *
 * Each move of an old answer may be plausible, because it is a move back (reliability R5).
 */
export function judgeAge(reading: TedbReading, latestSituationDate: string | undefined): string[] {
  const { situationDate } = reading;
  return situationDate !== undefined &&
    latestSituationDate !== undefined &&
    situationDate < latestSituationDate
    ? [
        `an old answer: its newest record is of ${situationDate}, one of ${latestSituationDate} is known`,
      ]
    : [];
}

/**
 * Whether an answer is for another date: it has a record that began after the queried date.
 *
 * TEDB has been seen to answer with current rates if it did not read the date. They would be published for a day on
 * which they were not in force.
 */
export function judgeDate(reading: TedbReading, asked: IsoDate): string[] {
  const { situationDate } = reading;
  return isLater(situationDate, asked)
    ? [
        `an answer for another date: its newest record is of ${situationDate}, the query was for ${asked}`,
      ]
    : [];
}

/** Whether a record began after a date; false if its beginning is not known. */
export function isLater(situationDate: string | undefined, date: IsoDate): boolean {
  return situationDate !== undefined && situationDate > date;
}

/** Reasons against the rates of a country; what is published already was plausible, or an operator approved it. */
function judgeEntry(entry: RateEntry, published: RateEntry | undefined): string[] {
  const { country, standard } = entry;
  const isStandardKnown = published?.standard === standard;
  const known = isStandardKnown ? otherRates(published) : [];
  const reasons: string[] = [];
  const isUsual = Number(standard) >= limits.standardMin && Number(standard) <= limits.standardMax;
  if (!isUsual && !isStandardKnown) {
    reasons.push(
      `${country}: standard rate ${standard}, expected ${limits.standardMin} to ${limits.standardMax}`,
    );
  }
  for (const rate of otherRates(entry)) {
    if (compareDecimals(rate, standard) >= 0 && !known.includes(rate)) {
      reasons.push(`${country}: reduced rate ${rate}, not below the standard rate ${standard}`);
    }
  }
  return reasons;
}

function otherRates({ reduced, superReduced, parking }: RateEntry): readonly string[] {
  return [...reduced, superReduced, parking].filter((rate) => rate !== undefined);
}

function judgeFirst(reading: TedbReading): string[] {
  const count = reading.entries.length;
  return count < limits.firstCountriesMin
    ? [`${count} countries have a standard rate, expected at least ${limits.firstCountriesMin}`]
    : [];
}

function judgeAgainst(previous: RateSnapshot, reading: TedbReading): string[] {
  const reasons: string[] = [];
  const current = new Map(reading.entries.map((entry) => [entry.country, entry]));
  const ambiguous = new Set(reading.ambiguous.map(({ country }) => country));
  for (const was of previous.entries) {
    const is = current.get(was.country);
    if (is !== undefined) reasons.push(...judgeMove(was, is));
    else if (!ambiguous.has(was.country)) {
      reasons.push(`${was.country}: no standard rate, it was ${was.standard}`);
    }
  }
  const moved = diffSnapshots(previous, reading).length;
  if (moved > limits.movedFieldsMax) {
    reasons.push(`${moved} fields moved at once, expected at most ${limits.movedFieldsMax}`);
  }
  return reasons;
}

function judgeMove(was: RateEntry, is: RateEntry): string[] {
  const reasons: string[] = [];
  const points = Math.abs(Number(is.standard) - Number(was.standard));
  if (points > limits.standardMoveMax + limits.tolerance) {
    reasons.push(
      `${is.country}: standard rate ${was.standard} → ${is.standard}, ` +
        `a move of more than ${limits.standardMoveMax} points`,
    );
  }
  if (was.reduced.length > 0 && is.reduced.length === 0) {
    reasons.push(`${is.country}: all reduced rates are gone, they were ${was.reduced.join(', ')}`);
  }
  reasons.push(...judgeNewRates(was, is));
  return reasons;
}

/** Reasons against rates that the country did not have, of whatever kind; no real one since 2017 was so low. */
function judgeNewRates(was: RateEntry, is: RateEntry): string[] {
  const known = otherRates(was);
  const isNewBelow = (rate: string | undefined, min: number): boolean =>
    rate !== undefined && !known.includes(rate) && Number(rate) < min;
  const { country, reduced, superReduced } = is;
  return [
    ...reduced
      .filter((rate) => isNewBelow(rate, limits.newReducedMin))
      .map(
        (rate) =>
          `${country}: a new reduced rate of ${rate}, expected at least ${limits.newReducedMin}`,
      ),
    ...(isNewBelow(superReduced, limits.newSuperReducedMin)
      ? [
          `${country}: a new super-reduced rate of ${superReduced}, expected at least ${limits.newSuperReducedMin}`,
        ]
      : []),
  ];
}
