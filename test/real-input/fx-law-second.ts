/** The second computation of rates by law: dates of JavaScript and steps of one day, and no code of the service. */

import { readJsonCapture } from './captures.ts';

const dayMs = 86_400_000;

function printDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The nearest day of the history, found day by day; undefined after five weeks without one. */
export function findNearest(
  days: ReadonlySet<string>,
  from: string,
  step: 1 | -1,
): string | undefined {
  const beginMs = Date.parse(from);
  for (let count = 0; count < 35; count += 1) {
    const day = printDay(beginMs + count * step * dayMs);
    if (days.has(day)) return day;
  }
  return undefined;
}

/** The last day of a month of 1 to 12. */
function lastDayOf(year: number, month: number): string {
  return printDay(Date.UTC(year, month, 0));
}

/** The penultimate Wednesday before a month: the last but one of a list of all Wednesdays. */
function wednesdayBefore(year: number, month: number): string {
  const first = Date.UTC(year, month - 2, 1);
  const days = Array.from({ length: 31 }, (_, at) => new Date(first + at * dayMs));
  const wednesdays = days.filter(
    (day) => day.getUTCDay() === 3 && day.getTime() < Date.UTC(year, month - 1, 1),
  );
  return wednesdays.at(-2)?.toISOString().slice(0, 10) ?? '';
}

/** Every month from January 1999 on to a last one. */
function monthsTo(
  lastYear: number,
  lastMonth: number,
): (readonly [year: number, month: number, text: string])[] {
  return Array.from({ length: (lastYear - 1999) * 12 + lastMonth }, (_, at) => {
    const [year, month] = [1999 + Math.floor(at / 12), (at % 12) + 1];
    return [year, month, `${year}-${String(month).padStart(2, '0')}`] as const;
  });
}

/** A path below `/fx`, and how the second computation finds the answer. */
export type Question = {
  readonly path: string;
  /** The day that its law names, and the direction in which the next best publication is. */
  readonly named: string;
  readonly step: 1 | -1;
  /** Whether a currency with this first day of the euro is fixed, if this publication is used. */
  readonly isFixed: (euroSince: string, used: string) => boolean;
  readonly inForceSince: string;
};

/** Every period since 1999 of the quarterly, the monthly and the customs rule. */
export function everyPeriod(lastYear: number, lastMonth: number): readonly Question[] {
  const months = monthsTo(lastYear, lastMonth);
  const quarters = months.filter(([, month]) => month % 3 === 0);
  const ofReturn = (
    path: string,
    [year, last]: readonly [number, number, string],
    count: number,
  ) => {
    const named = lastDayOf(year, last);
    const first = printDay(Date.UTC(year, last - count, 1));
    const isFixed: Question['isFixed'] = (since, used) => first < since && since <= used;
    return { path, named, step: 1, isFixed } as const;
  };
  return [
    ...quarters.map((month): Question => {
      const path = `/fx/oss/${month[0]}-Q${month[1] / 3}`;
      return { ...ofReturn(path, month, 3), inForceSince: '2015-01-01' };
    }),
    ...months.map((month): Question => {
      return { ...ofReturn(`/fx/ioss/${month[2]}`, month, 1), inForceSince: '2021-07-01' };
    }),
    // The publication of January 1999 would have been in December 1998, before the first one.
    ...months.slice(1).map(([year, month, text]): Question => {
      const path = `/fx/customs/${text}`;
      const named = wednesdayBefore(year, month);
      const isFixed = (since: string) => since.slice(0, 7) <= text;
      return { path, named, step: -1, isFixed, inForceSince: '2016-05-01' };
    }),
  ];
}

/** A tax point: a day, a day in Poland, or an instant. */
export function taxPoint(kind: 'day' | 'Poland' | 'instant', atMs: number): Question {
  const point = (path: string, named: string, day: string): Question => {
    return { path, named, step: -1, isFixed: (since) => since <= day, inForceSince: '2013-01-01' };
  };
  const day = printDay(atMs);
  if (kind === 'day') return point(`/fx/vat/${day}`, day, day);
  if (kind === 'Poland') return point(`/fx/vat/${day}?country=PL`, printDay(atMs - dayMs), day);
  // A publication is available from 16:00 in Frankfurt on: 14:00 UTC in summer, else 15:00.
  const hours = isSummer(atMs) ? 14 : 15;
  const path = `/fx/vat/${new Date(atMs).toISOString()}`;
  const inFrankfurt = printDay(atMs + (16 - hours) * 3_600_000);
  return point(path, printDay(atMs - hours * 3_600_000), inFrankfurt);
}

/** The end of the answer after the rates: the fixed rates of the regulations, the law, and the day of its beginning. */
export function endOfAnswer({ isFixed, inForceSince }: Question, used: string): RegExp {
  const { currencies } = readJsonCapture('euro-accessions.json') as {
    readonly currencies: readonly Readonly<Record<'code' | 'rate' | 'euroSince', string>>[];
  };
  const fixed = currencies
    .filter(({ euroSince }) => isFixed(euroSince, used))
    .map(({ code, rate, euroSince }) => [code, { rate: Number(rate), since: euroSince }] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  const text = JSON.stringify(Object.fromEntries(fixed)).replaceAll(/[{}.]/g, String.raw`\$&`);
  return new RegExp(`,"fixed":${text},"legalBasis":"[^"]+","inForceSince":"${inForceSince}"\\}$`);
}

/** Summer time in Frankfurt: between the last Sundays of March and of October, at 01:00 UTC. */
function isSummer(atMs: number): boolean {
  const year = new Date(atMs).getUTCFullYear();
  return atMs >= lastSundayOf(year, 3) && atMs < lastSundayOf(year, 10);
}

function lastSundayOf(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0, 1));
  return last.getTime() - last.getUTCDay() * dayMs;
}
