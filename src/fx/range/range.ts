import type { CsvTable } from '../../platform/csv/csv.ts';
import { daysBetween, type IsoDate } from '../../platform/time/time.ts';
import { ecbDays } from '../ecb/calendar.ts';
import type { YearOfColumns } from './columns.ts';
import { type CurrencyCode, parseCurrencyCode } from '../snapshot.ts';

/** A query to `/fx/range`; both ends are included. */
export type FxRange = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly currencies: readonly CurrencyCode[];
};

/** The most currencies in one range: ten over 27 years are 700 KB. */
const currenciesMax = 10;

/** The expectation in the 400 for a malformed list. */
export const currenciesExpected = `1 to ${currenciesMax} currency codes, separated by commas`;

/** The expectation in the 400 for a currency that the ECB never published. */
export const publishedExpected = 'currencies that the ECB has published';

/** Reads `USD,GBP` in any letter case, each code once; undefined for any other text. */
export function parseCurrencies(text: string): readonly CurrencyCode[] | undefined {
  if (!/^[A-Za-z,]{3,}$/.test(text)) return undefined;
  const given = text.toUpperCase().split(',');
  if (given.length > currenciesMax) return undefined;
  const codes: CurrencyCode[] = [];
  for (const one of new Set(given)) {
    const code = parseCurrencyCode(one);
    if (code === undefined) return undefined;
    codes.push(code);
  }
  return codes;
}

/** Days of a span that count as one request against rate limit and quota. */
const daysOfRequest = 400;

/**
 * How many requests a range counts as: one for each 400 days of its span, rounded up, and at least one. Days
 * before the first publication of 1999 and after `newest` are not counted; undefined means that nothing is
 * published.
 */
export function costOf({ from, to }: FxRange, newest: IsoDate | undefined): number {
  if (newest === undefined) return 1;
  const { firstPublicationDate } = ecbDays;
  const first = from < firstPublicationDate ? firstPublicationDate : from;
  const last = to > newest ? newest : to;
  const days = daysBetween(first, last) + 1;
  return Math.max(1, Math.ceil(days / daysOfRequest));
}

/** The values of some currencies over a span, oldest first, as they are printed in JSON. */
export type RangeColumns = {
  /** The dates of the publications, with their quotes. */
  readonly dates: readonly string[];
  /** For each currency its cells, joined by commas; `null` for a cell without a value. */
  readonly cells: readonly string[];
};

/** Selects the values of a span from the years that it touches. */
export function selectRange(
  years: readonly YearOfColumns[],
  { from, to, currencies }: FxRange,
): RangeColumns {
  const dates: string[] = [];
  const columns = currencies.map((): string[] => []);
  for (const year of years) {
    const begin = countBefore(year.dates, `"${from}"`);
    const end = year.dates.findLastIndex((date) => date <= `"${to}"`) + 1;
    if (end <= begin) continue;
    const isWhole = end - begin === year.dates.length;
    dates.push(...year.dates.slice(begin, end));
    for (const [at, currency] of currencies.entries()) {
      const cells = year.cells.get(currency);
      if (cells === undefined) columns[at]?.push(...Array<string>(end - begin).fill('null'));
      // Nearly all years are inside the span: their cells are used without splitting.
      else columns[at]?.push(isWhole ? cells : cells.split(',').slice(begin, end).join(','));
    }
  }
  return { dates, cells: columns.map((column) => column.join(',')) };
}

/** Prints the response of `/fx/range`. */
export function printRange(
  { dates, cells }: RangeColumns,
  { from, to, currencies }: FxRange,
): string {
  const rates = currencies.map((currency, at) => `"${currency}":[${cells[at]}]`);
  return (
    `{"base":"EUR","from":"${from}","to":"${to}",` +
    `"dates":[${dates.join(',')}],"rates":{${rates.join(',')}}}`
  );
}

/** A range as a table with one row for each date and one column for each currency, in the order of the request. */
export function rangeTable({ dates, cells }: RangeColumns, { currencies }: FxRange): CsvTable {
  const columns = cells.map((column) => column.split(','));
  return {
    columns: ['date', ...currencies],
    rows: dates.map((date, at) => [
      date.slice(1, -1),
      ...columns.map((column) => {
        const value = column[at] ?? 'null';
        return value === 'null' ? null : value;
      }),
    ]),
  };
}

function countBefore(dates: readonly string[], from: string): number {
  const at = dates.findIndex((date) => date >= from);
  return at === -1 ? dates.length : at;
}
