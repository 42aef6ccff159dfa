import { parseExactJson } from '../platform/exact-json.ts';
import { isoDate, type IsoDate } from '../platform/time.ts';

/** An ISO 4217 code: `USD`. */
export type CurrencyCode = string & { readonly __brand: 'CurrencyCode' };

/** The euro reference rates of one publication. */
export type FxSnapshot = {
  readonly date: IsoDate;
  /** Canonical decimals: units of the currency per 1 EUR. */
  readonly rates: ReadonlyMap<CurrencyCode, string>;
};

/** Reads a currency code; null for anything but three ASCII capitals. */
export function parseCurrencyCode(text: string): CurrencyCode | null {
  return /^[A-Z]{3}$/.test(text) ? (text as CurrencyCode) : null;
}

/**
 * Prints a snapshot as the answer of `/fx/<date>`, currencies in alphabetical order (interface 2.3).
 *
 * Put together by hand: codes and canonical decimals need no escaping, and a full history has 210,000 of
 * them.
 */
export function printSnapshot({ date, rates }: FxSnapshot): string {
  const members = [...rates.keys()]
    .sort()
    .map((currency) => `"${currency}":${rates.get(currency)}`);
  return `{"date":"${date}","base":"EUR","rates":{${members.join(',')}}}`;
}

/** Reads what {@link printSnapshot} printed. */
export function parseSnapshot(body: string): FxSnapshot {
  const { date, rates } = parseExactJson(body) as { date: string; rates: Record<string, string> };
  return {
    date: isoDate(date),
    rates: new Map(Object.entries(rates) as [CurrencyCode, string][]),
  };
}

/** One value in which two snapshots of the same date differ; null where a currency is missing. */
export type FxDifference = {
  readonly currency: CurrencyCode;
  readonly stored: string | null;
  readonly upstream: string | null;
};

/** The values in which what the upstream says differs from what is stored, by currency. */
export function compareSnapshots(stored: FxSnapshot, upstream: FxSnapshot): FxDifference[] {
  const currencies = [...new Set([...stored.rates.keys(), ...upstream.rates.keys()])].sort();
  return currencies.flatMap((currency) => {
    const was = stored.rates.get(currency) ?? null;
    const is = upstream.rates.get(currency) ?? null;
    return was === is ? [] : [{ currency, stored: was, upstream: is }];
  });
}

/** A snapshot with some of its values replaced by what the upstream says. */
export function correctSnapshot(
  stored: FxSnapshot,
  differences: readonly FxDifference[],
): FxSnapshot {
  const rates = new Map(stored.rates);
  for (const { currency, upstream } of differences) {
    if (upstream === null) rates.delete(currency);
    else rates.set(currency, upstream);
  }
  return { date: stored.date, rates };
}
