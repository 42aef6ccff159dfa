import type { IsoDate } from '../platform/time/time.ts';
import { isWeekend } from './calendar.ts';
import type { Series } from './series.ts';
import { type FxSnapshot, perUnit } from './snapshot.ts';

/** Limits of plausibility: a publication outside of them is held (contract C19). */
const limits = {
  factor: 2,
  largeMove: 0.25,
  largeMovesMax: 3,
  goneMax: 3,
  unchangedShare: 0.9,
  /** The rounding error of binary numbers in a ratio: 0.0015 / 0.0012 is 1.2500000000000002. */
  tolerance: 1e-9,
} as const;

/** The facts beside the publications by which they are judged. */
export type Judging = {
  readonly series: Series;
  /** The date where the publisher is. */
  readonly today: IsoDate;
};

/**
 * The plausibility gate: the reasons against a publication; none if it is plausible.
 *
 * All days of the real history pass, the worst ones included: the lira of 2001, the crown of 2008, the
 * franc of 2015, the rouble of 2022.
 *
 * @param previous The publication before it; undefined for the first one.
 */
export function judgeSnapshot(
  snapshot: FxSnapshot,
  previous: FxSnapshot | undefined,
  { series, today }: Judging,
): string[] {
  const reasons: string[] = [];
  const { date } = snapshot;
  const { firstPublicationDate } = series.timetable.days;
  if (isWeekend(date)) reasons.push(`${date} is a weekend`);
  if (date < firstPublicationDate) {
    reasons.push(`${date} is before the first publication of all, ${firstPublicationDate}`);
  }
  // It would become the latest, and every real publication after it would be "not newer".
  if (date > today) reasons.push(`${date} is in the future, today is ${today}`);
  if (previous === undefined) return reasons;
  return [
    ...reasons,
    ...judgeNumber(previous, snapshot, series),
    ...judgeAgainst(previous, snapshot),
  ];
}

/** A number is known by its place, and its date may contradict that. */
function judgeNumber(previous: FxSnapshot, snapshot: FxSnapshot, { numbers }: Series): string[] {
  if (numbers === undefined || snapshot.date > previous.date) return [];
  const newest = `${previous.table} of ${previous.date}`;
  return [`${snapshot.table} of ${snapshot.date} is not newer than ${newest}`];
}

function judgeAgainst(previous: FxSnapshot, snapshot: FxSnapshot): string[] {
  const reasons: string[] = [];
  const large: string[] = [];
  const gone: string[] = [];
  let unchanged = 0;
  for (const [currency, was] of previous.rates) {
    const rate = snapshot.rates.get(currency);
    if (rate === undefined) {
      gone.push(currency);
      continue;
    }
    if (rate === was) {
      unchanged += 1;
      continue;
    }
    const ratio = perUnit(rate) / perUnit(was);
    if (ratio >= limits.factor || ratio <= 1 / limits.factor) {
      reasons.push(`${currency} ${was} → ${rate}, a factor of ${limits.factor} or more`);
    }
    if (Math.abs(ratio - 1) > limits.largeMove + limits.tolerance) large.push(currency);
  }
  if (large.length > limits.largeMovesMax) {
    reasons.push(`${large.length} currencies moved by over 25 % (${large.join(', ')})`);
  }
  if (gone.length > limits.goneMax) {
    reasons.push(`${gone.length} currencies are gone (${gone.join(', ')})`);
  }
  const common = previous.rates.size - gone.length;
  if (common > 0 && unchanged >= common * limits.unchangedShare) {
    reasons.push(`${unchanged} of ${common} values are those of ${previous.date}`);
  }
  return reasons;
}
