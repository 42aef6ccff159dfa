/** The second computation of rates by law: dates of JavaScript and steps of one day, and no code of the service. */

const dayMs = 86_400_000;

export function printDay(ms: number): string {
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
export function lastDayOf(year: number, month: number): string {
  return printDay(Date.UTC(year, month, 0));
}

/** The penultimate Wednesday before a month: the last but one of a list of all Wednesdays. */
export function wednesdayBefore(year: number, month: number): string {
  const first = Date.UTC(year, month - 2, 1);
  const days = Array.from({ length: 31 }, (_, at) => new Date(first + at * dayMs));
  const wednesdays = days.filter(
    (day) => day.getUTCDay() === 3 && day.getTime() < Date.UTC(year, month - 1, 1),
  );
  return wednesdays.at(-2)?.toISOString().slice(0, 10) ?? '';
}

/** Every month from January 1999 on to a last one. */
export function monthsTo(
  lastYear: number,
  lastMonth: number,
): (readonly [year: number, month: number, text: string])[] {
  return Array.from({ length: (lastYear - 1999) * 12 + lastMonth }, (_, at) => {
    const [year, month] = [1999 + Math.floor(at / 12), (at % 12) + 1];
    return [year, month, `${year}-${String(month).padStart(2, '0')}`] as const;
  });
}

/** A path below `/fx`, the day that its law names, and the direction in which the next best publication is. */
export type Question = {
  readonly path: string;
  readonly named: string;
  readonly step: 1 | -1;
};

/** Every period since 1999 of the quarterly, the monthly and the customs rule. */
export function everyPeriod(lastYear: number, lastMonth: number): readonly Question[] {
  const months = monthsTo(lastYear, lastMonth);
  const quarters = months.filter(([, month]) => month % 3 === 0);
  return [
    ...quarters.map(([year, month]): Question => {
      return { path: `/fx/oss/${year}-Q${month / 3}`, named: lastDayOf(year, month), step: 1 };
    }),
    ...months.map(([year, month, text]): Question => {
      return { path: `/fx/ioss/${text}`, named: lastDayOf(year, month), step: 1 };
    }),
    // The publication of January 1999 would have been in December 1998, before the first one.
    ...months.slice(1).map(([year, month, text]): Question => {
      return { path: `/fx/customs/${text}`, named: wednesdayBefore(year, month), step: -1 };
    }),
  ];
}

/** A tax point: a day, a day in Poland, or an instant. */
export function taxPoint(kind: 'day' | 'Poland' | 'instant', atMs: number): Question {
  const day = printDay(atMs);
  if (kind === 'day') return { path: `/fx/vat/${day}`, named: day, step: -1 };
  if (kind === 'Poland') {
    return { path: `/fx/vat/${day}?country=PL`, named: printDay(atMs - dayMs), step: -1 };
  }
  // A publication is available from 16:00 in Frankfurt on: 14:00 UTC in summer, else 15:00.
  const hours = isSummer(atMs) ? 14 : 15;
  const path = `/fx/vat/${new Date(atMs).toISOString()}`;
  return { path, named: printDay(atMs - hours * 3_600_000), step: -1 };
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
