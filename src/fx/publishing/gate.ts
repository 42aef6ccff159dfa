import type { IsoDate } from '../../platform/time/time.ts';
import { quote } from '../../platform/values/quote.ts';
import { isWeekend } from '../calendar.ts';
import type { Series } from '../series.ts';
import { type FxSnapshot, perUnit, splitValue } from '../snapshot.ts';

/** Limits of plausibility: a publication outside of them is held (contract C19). */
const limits = {
  factor: 2,
  largeMove: 0.25,
  largeMovesMax: 3,
  /** On 8,466 real days, the median currency moved by 2.9 % at most. */
  commonFactor: 1.1,
  goneMax: 3,
  /** How near a currency comes to the value of another one whose place it takes, and how far apart both were. */
  placeNear: 0.01,
  placesApart: 0.05,
  unchangedShare: 0.9,
  /** The rounding error of binary numbers in a ratio: 0.0015 / 0.0012 is 1.2500000000000002. */
  tolerance: 1e-9,
} as const;

/** The facts beside the publications by which they are judged. */
export type Judging = {
  readonly series: Series;
  /** The date where the publisher is. */
  readonly today: IsoDate;
  /**
   * The day on which the first publication was stored; today if none is. Days before it belong to the first fill, in which
   * any number of currencies may be new: publishers began with many at once.
   */
  readonly begunOn: IsoDate;
};

/** A currency whose value differs from that in the publication before. */
type Move = { readonly currency: string; readonly was: string; readonly is: string };

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
  { series, today, begunOn }: Judging,
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
    ...judgeValues(previous, snapshot),
    ...judgeCurrencies(previous, snapshot, date < begunOn ? Infinity : series.newCurrenciesMax),
  ];
}

/** A number is known by its place, and its date may contradict that. */
function judgeNumber(previous: FxSnapshot, snapshot: FxSnapshot, { numbers }: Series): string[] {
  if (numbers === undefined || snapshot.date > previous.date) return [];
  const newest = `${previous.table} of ${previous.date}`;
  return [`${snapshot.table} of ${snapshot.date} is not newer than ${newest}`];
}

function judgeValues(previous: FxSnapshot, snapshot: FxSnapshot): string[] {
  const reasons: string[] = [];
  const moves: Move[] = [];
  const [large, rose, fell]: [string[], string[], string[]] = [[], [], []];
  let common = 0;
  for (const [currency, was] of previous.rates) {
    const is = snapshot.rates.get(currency);
    if (is === undefined) continue;
    common += 1;
    if (is === was) continue;
    moves.push({ currency, was, is });
    const ratio = perUnit(is) / perUnit(was);
    if (ratio >= limits.factor || ratio <= 1 / limits.factor) {
      reasons.push(`${currency} ${was} → ${is}, a factor of ${limits.factor} or more`);
    }
    if (Math.abs(ratio - 1) > limits.largeMove + limits.tolerance) large.push(currency);
    if (ratio > limits.commonFactor + limits.tolerance) rose.push(currency);
    if (1 / ratio > limits.commonFactor + limits.tolerance) fell.push(currency);
  }
  if (large.length > limits.largeMovesMax) reasons.push(count(large, 'moved by over 25 %'));
  const together = rose.length > fell.length ? rose : fell;
  if (together.length > limits.largeMovesMax && together.length > common / 2) {
    reasons.push(
      count(together, `moved in one direction by a factor of over ${limits.commonFactor}`),
    );
  }
  const exchanged = findExchanged(moves).map(({ currency }) => currency);
  if (exchanged.length > 0) reasons.push(count(exchanged, 'have exchanged their values'));
  const unchanged = common - moves.length;
  if (common > 0 && unchanged >= common * limits.unchangedShare) {
    reasons.push(`${unchanged} of ${common} values are those of ${previous.date}`);
  }
  return reasons;
}

function judgeCurrencies(previous: FxSnapshot, snapshot: FxSnapshot, newMax: number): string[] {
  const lacking = (one: FxSnapshot, other: FxSnapshot): string[] =>
    [...one.rates.keys()].filter((currency) => !other.rates.has(currency));
  const gone = lacking(previous, snapshot);
  const added = lacking(snapshot, previous);
  return [
    ...(gone.length > limits.goneMax ? [count(gone, 'are gone')] : []),
    ...(added.length > newMax ? [count(added, 'are new')] : []),
  ];
}

/**
 * The currencies of which each has the value that another one of them had before: two that have taken each other's place,
 * or several in a ring. None on all real days, on which a currency alone came to the value of another one eleven times.
 */
function findExchanged(moves: readonly Move[]): readonly Move[] {
  // Nearly always none moves as far, and then there is nothing to compare.
  const far = limits.placesApart - 2 * limits.placeNear;
  let left = moves.filter(({ was, is }) => isApart(was, is, far));
  for (;;) {
    const inRings = left.filter(
      (one) =>
        left.some((other) => isInPlace(one, other)) && left.some((other) => isInPlace(other, one)),
    );
    if (inRings.length === left.length) return left;
    left = inRings;
  }
}

function isInPlace({ was, is }: Move, other: Move): boolean {
  return isApart(was, other.was, limits.placesApart) && !isApart(is, other.was, limits.placeNear);
}

/** Whether two values differ by more than a share, as they are printed: who confuses two rows confuses their units, too. */
function isApart(a: string, b: string, share: number): boolean {
  const [x, y] = [a, b].map((value) => Number(splitValue(value)[0])) as [number, number];
  return Math.max(x, y) / Math.min(x, y) > 1 + share + limits.tolerance;
}

/** Says how many currencies it is, and quotes the first ones. */
function count(currencies: readonly string[], what: string): string {
  return `${currencies.length} currencies ${what} (${quote(currencies.join(', '))})`;
}
