import { isoDate, type IsoDate } from '../platform/time/time.ts';

/** An ISO 4217 code: `USD`. */
export type CurrencyCode = string & { readonly __brand: 'CurrencyCode' };

/** The exchange rates of one publication. */
export type FxSnapshot = {
  readonly date: IsoDate;
  /** The number of the table; undefined if its publisher has none. */
  readonly table?: string;
  /**
   * By currency a canonical decimal: units of the currency per 1 EUR for the ECB. A national bank gives units of its own
   * currency for some units of the other one, which stand behind a slash: `6.304/100`.
   */
  readonly rates: ReadonlyMap<CurrencyCode, string>;
};

/** Reads a currency code; undefined for anything but three ASCII capitals. */
export function parseCurrencyCode(text: string): CurrencyCode | undefined {
  return /^[A-Z]{3}$/.test(text) ? (text as CurrencyCode) : undefined;
}

/**
 * Prints a snapshot of the ECB as the body of `/fx/<date>`, currencies in alphabetical order (interface 2.3).
 *
 * Built by concatenation: codes and canonical decimals need no escaping, and a full history has 210,000 of
 * them.
 */
export function printSnapshot({ date, rates }: FxSnapshot): string {
  const members = [...rates.keys()]
    .sort()
    .map((currency) => `"${currency}":${rates.get(currency)}`);
  return `{"date":"${date}","base":"EUR","rates":{${members.join(',')}}}`;
}

const printedSnapshot = /^\{"date":"([\d-]{10})","base":"EUR","rates":\{(.*)\}\}$/;
const printedRate = /^"([A-Z]{3})":(\d+(?:\.\d+)?)$/;

/**
 * Reads a text that {@link printSnapshot} printed, and throws for every other text.
 *
 * Reading it as text takes a third of the time of a JSON parser that keeps decimals.
 */
export function parseSnapshot(body: string): FxSnapshot {
  const [, date, members] = printedSnapshot.exec(body) ?? [];
  if (date === undefined || members === undefined) {
    throw new Error(`not a stored publication: ${body.slice(0, 40)}`);
  }
  const rates = new Map<CurrencyCode, string>();
  for (const member of members === '' ? [] : members.split(',')) {
    const [, currency, value] = printedRate.exec(member) ?? [];
    if (currency === undefined || value === undefined) {
      throw new Error(`not a rate of a stored publication: ${member}`);
    }
    rates.set(currency as CurrencyCode, value);
  }
  return { date: isoDate(date), rates };
}

/** The rate of a value, and the units that it is for. */
export function splitValue(value: string): readonly [rate: string, units: string] {
  const [rate = '', units = '1'] = value.split('/');
  return [rate, units];
}

/** A value for one unit as a number, to be compared and never published. */
export function perUnit(value: string): number {
  const [rate, units] = splitValue(value);
  return Number(rate) / Number(units);
}

/** One value in which two snapshots of the same date differ; null for a missing currency. */
export type FxDifference = {
  readonly currency: CurrencyCode;
  readonly stored: string | null;
  readonly upstream: string | null;
};

/** The values that differ between the upstream's snapshot and the stored one, by currency. */
export function compareSnapshots(stored: FxSnapshot, upstream: FxSnapshot): FxDifference[] {
  const currencies = [...new Set([...stored.rates.keys(), ...upstream.rates.keys()])].sort();
  return currencies.flatMap((currency) => {
    const was = stored.rates.get(currency) ?? null;
    const is = upstream.rates.get(currency) ?? null;
    return was === is ? [] : [{ currency, stored: was, upstream: is }];
  });
}

/** A snapshot with some of its values replaced by the upstream's. */
export function correctSnapshot(
  stored: FxSnapshot,
  differences: readonly FxDifference[],
): FxSnapshot {
  const rates = new Map(stored.rates);
  for (const { currency, upstream } of differences) {
    if (upstream === null) rates.delete(currency);
    else rates.set(currency, upstream);
  }
  return { ...stored, rates };
}
