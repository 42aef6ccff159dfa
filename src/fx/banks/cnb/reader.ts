import { parseDecimal } from '../../../platform/values/decimal.ts';
import { quote } from '../../../platform/values/quote.ts';
import { type IsoDate, parseIsoDate } from '../../../platform/time/time.ts';
import { type CurrencyCode, type FxSnapshot, parseCurrencyCode } from '../../snapshot.ts';
import type { Span } from '../bank.ts';
import { joinValue } from '../body.ts';
import { fieldsOf } from '../fields.ts';

/** Reads an answer with a row for each currency and day, or returns what is wrong with it. */
export function readFixings(document: unknown, { from, to }: Span): readonly FxSnapshot[] | string {
  const { rates } = fieldsOf(document);
  if (!Array.isArray(rates)) return 'no list of rates';
  const days = new Map<IsoDate, Map<CurrencyCode, string>>();
  for (const { currencyCode, amount, validFor, rate } of (rates as unknown[]).map(fieldsOf)) {
    const date = parseIsoDate(String(validFor));
    const currency = parseCurrencyCode(String(currencyCode));
    const value = parseDecimal(String(rate));
    if (date === undefined) return `the date ${quote(String(validFor))}, which does not exist`;
    if (date < from || date > to) return `a rate of ${date}, which was not asked for`;
    if (currency === undefined) return `${date} has the currency ${quote(String(currencyCode))}`;
    if (value === undefined || value === '0')
      return `${date} has the rate ${quote(String(rate))} of ${currency}`;
    if (!/^[1-9][0-9]{0,5}$/.test(String(amount))) {
      return `${date} has the amount ${quote(String(amount))} of ${currency}`;
    }
    const day = days.get(date) ?? new Map<CurrencyCode, string>();
    if (day.has(currency)) return `${date} has ${currency} twice`;
    days.set(date, day.set(currency, joinValue(value, String(amount))));
  }
  return [...days].map(([date, ofDay]) => ({ date, rates: ofDay }));
}
