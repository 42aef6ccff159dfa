import type { CsvTable } from '../../platform/csv/csv.ts';
import { isoDate } from '../../platform/time/time.ts';
import { type CurrencyCode, type FxSnapshot, splitValue } from '../snapshot.ts';
import type { Bank } from './bank.ts';

/**
 * Prints a publication of a bank as the body of `/fx/<bank>/<date>`, currencies in alphabetical order (rule N2).
 *
 * Nothing is divided: a rate is the published one, for as many units as are published.
 */
export function printBody(
  { name, quote }: Pick<Bank, 'name' | 'quote'>,
  { date, table, rates }: FxSnapshot,
): string {
  const number = table === undefined ? 'null' : `"${table}"`;
  const members = [...rates.keys()].sort().map((currency) => {
    const [rate, units] = splitValue(rates.get(currency) ?? '');
    return `"${currency}":{"units":${units},"rate":${rate}}`;
  });
  return `{"bank":"${name}","date":"${date}","table":${number},"quote":"${quote}","rates":{${members.join(',')}}}`;
}

/** A value of a publication: the rate, with the units behind a slash if there are several. */
export function joinValue(rate: string, units: string): string {
  return units === '1' ? rate : `${rate}/${units}`;
}

const printedBody =
  /^\{"bank":"[a-z]+","date":"([\d-]{10})","table":(?:null|"([^"]+)"),"quote":"[A-Z]{3}","rates":\{(.*)\}\}$/;
const printedRate = /^"([A-Z]{3})":\{"units":(\d+),"rate":(\d+(?:\.\d+)?)$/;

/** Reads a text that {@link printBody} printed, and throws for every other text. */
export function parseBody(body: string): FxSnapshot {
  const [, date, table, members] = printedBody.exec(body) ?? [];
  if (date === undefined || members === undefined) {
    throw new Error(`not a stored publication of a bank: ${body.slice(0, 60)}`);
  }
  const rates = new Map<CurrencyCode, string>();
  for (const member of members.slice(0, -1).split('},')) {
    const [, currency, units, rate] = printedRate.exec(member) ?? [];
    if (currency === undefined || units === undefined || rate === undefined) {
      throw new Error(`not a rate of a stored publication of a bank: ${member}`);
    }
    rates.set(currency as CurrencyCode, joinValue(rate, units));
  }
  return { date: isoDate(date), ...(table === undefined ? {} : { table }), rates };
}

/** Callers keep the CSV of a date as immutable, so these columns never change (contract C8). */
export const bankColumns = ['currency', 'units', 'rate'] as const;

/** A publication as a table with one row for each currency, made from its stored body. */
export function bankTable(body: string): CsvTable {
  const rows = [...parseBody(body).rates].map(([currency, value]) => {
    const [rate, units] = splitValue(value);
    return [currency, units, rate];
  });
  return { columns: bankColumns, rows };
}
