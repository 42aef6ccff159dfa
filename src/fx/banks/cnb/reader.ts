import { type IsoDate, parseIsoDate } from '../../../platform/time/time.ts';
import type { CurrencyCode, FxSnapshot } from '../../snapshot.ts';
import type { Span } from '../bank.ts';
import { joinValue } from '../body.ts';
import { currencyOf, expected, explain, fieldsOf, numberOf, rateOf, textOf } from '../fields.ts';

/** Reads an answer with a row for each currency and day, or returns what is wrong with it. */
export function readFixings(document: unknown, { from, to }: Span): readonly FxSnapshot[] | string {
  const { rates } = fieldsOf(document);
  if (!Array.isArray(rates)) return 'no list of rates';
  const days = new Map<IsoDate, Map<CurrencyCode, string>>();
  for (const { currencyCode, amount, validFor, rate } of (rates as unknown[]).map(fieldsOf)) {
    const date = parseIsoDate(textOf(validFor) ?? '');
    const currency = currencyOf(currencyCode);
    const value = rateOf(rate);
    const units = numberOf(amount) ?? '';
    if (date === undefined) return `the date ${explain(validFor, expected.date)}`;
    if (date < from || date > to) return `a rate of ${date}, which was not asked for`;
    if (currency === undefined)
      return `${date} has the currency ${explain(currencyCode, expected.currency)}`;
    if (value === undefined)
      return `${date} has the rate of ${currency} ${explain(rate, expected.rate)}`;
    if (!/^[1-9][0-9]{0,5}$/.test(units)) {
      return `${date} has the amount of ${currency} ${explain(amount, 'a whole number above 0')}`;
    }
    const day = days.get(date) ?? new Map<CurrencyCode, string>();
    if (day.has(currency)) return `${date} has ${currency} twice`;
    days.set(date, day.set(currency, joinValue(value, units)));
  }
  return [...days].map(([date, ofDay]) => ({ date, rates: ofDay }));
}
