import { isoDate, type IsoDate, lastDateOf } from '../../platform/time/time.ts';

/** A quarter or a month of the calendar. */
export type Period = {
  /** As it was requested: `2023-Q4` or `2023-12`. */
  readonly period: string;
  readonly first: IsoDate;
  readonly last: IsoDate;
};

const quarterForm = /^(\d{4})-Q([1-4])$/;
const monthForm = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The expectations in the 400 for a malformed period. */
export const quarterExpected = 'YYYY-Qn';
export const monthExpected = 'YYYY-MM';

/** Reads `2023-Q4`; undefined for any other text. Years are 1 to 9999. */
export function parseQuarter(text: string): Period | undefined {
  const [, year = '', quarter] = quarterForm.exec(text) ?? [];
  const lastMonth = 3 * Number(quarter);
  return year === '' ? undefined : toPeriod(text, Number(year), [lastMonth - 2, lastMonth]);
}

/** Reads `2023-12`; undefined for any other text. Years are 1 to 9999. */
export function parseMonth(text: string): Period | undefined {
  const [, year = '', month] = monthForm.exec(text) ?? [];
  return year === '' ? undefined : toPeriod(text, Number(year), [Number(month), Number(month)]);
}

function toPeriod(
  period: string,
  year: number,
  [firstMonth, lastMonth]: readonly [number, number],
): Period | undefined {
  if (year === 0) return undefined;
  const first = isoDate(`${period.slice(0, 4)}-${String(firstMonth).padStart(2, '0')}-01`);
  return { period, first, last: lastDateOf(year, lastMonth) };
}
