import { parseIsoDate } from '../../../platform/time/time.ts';
import type { CurrencyCode, FxSnapshot } from '../../snapshot.ts';
import type { Span } from '../bank.ts';
import { currencyOf, expected, explain, fieldsOf, rateOf, textOf } from '../fields.ts';
import { parseTableNumber } from './table-numbers.ts';

/** Reads an answer with tables A, or returns what is wrong with it. */
export function readTables(document: unknown, span: Span): readonly FxSnapshot[] | string {
  if (!Array.isArray(document)) return 'no list of tables';
  const tables = new Map<string, FxSnapshot>();
  for (const given of document as readonly unknown[]) {
    const read = readTable(given, span);
    if (typeof read === 'string') return read;
    if (tables.has(read.table)) return `${read.table} twice`;
    tables.set(read.table, read);
  }
  return [...tables.values()];
}

function readTable(
  given: unknown,
  { from, to }: Span,
): (FxSnapshot & { readonly table: string }) | string {
  const { table: letter, no, effectiveDate, rates } = fieldsOf(given);
  const table = textOf(no) ?? '';
  if (letter !== 'A') return `a table ${explain(letter, '"A"')}`;
  const number = parseTableNumber(table);
  if (number === undefined) return `the table number ${explain(no, 'one like "041/A/NBP/2026"')}`;
  const date = parseIsoDate(textOf(effectiveDate) ?? '');
  if (date === undefined) return `${table} has the date ${explain(effectiveDate, expected.date)}`;
  if (number.year !== Number(date.slice(0, 4))) return `${table} has the date ${date}`;
  if (date < from || date > to) return `${table} of ${date}, which was not asked for`;
  if (!Array.isArray(rates) || rates.length === 0) return `${table} has no rates`;
  const read = readRates(rates);
  return typeof read === 'string' ? `${table} has ${read}` : { date, table, rates: read };
}

function readRates(given: readonly unknown[]): FxSnapshot['rates'] | string {
  const rates = new Map<CurrencyCode, string>();
  for (const { code, mid } of given.map(fieldsOf)) {
    const currency = currencyOf(code);
    const value = rateOf(mid);
    if (currency === undefined) return `the currency ${explain(code, expected.currency)}`;
    if (value === undefined) return `the rate of ${currency} ${explain(mid, expected.rate)}`;
    if (rates.has(currency)) return `${currency} twice`;
    rates.set(currency, value);
  }
  return rates;
}
