import { compareDecimals } from '../platform/values/decimal.ts';
import { jsonNumber, parseExactJson } from '../platform/values/exact-json.ts';
import { isoDate, type IsoDate } from '../platform/time/time.ts';
import { type CountryCode, currencyOn, memberState, parseCountryCode } from './member-states.ts';

/** One country's rates in a snapshot: canonical decimals in percentage points. */
export type RateEntry = {
  readonly country: CountryCode;
  readonly standard: string;
  /** Ascending, without repetition. */
  readonly reduced: readonly string[];
  readonly superReduced: string | undefined;
  readonly parking: string | undefined;
};

/** All rates that apply on a date. */
export type RateSnapshot = {
  readonly version: IsoDate;
  /** By country, ascending. */
  readonly entries: readonly RateEntry[];
};

/** The constant `source` of answers about rates (contract C14). */
export const source = 'Taxes in Europe Database (TEDB), European Commission';

/**
 * Prints a snapshot as the body of `/rates/<version>` (interface 2.1).
 *
 * This is done once, when the snapshot is published, and the text is stored. So neither a new flag host nor a
 * corrected country name changes a body that caches keep as immutable.
 */
export function printSnapshot(snapshot: RateSnapshot, flagCdnUrl: string): string {
  const rates = Object.fromEntries(
    snapshot.entries.map((entry) => [
      entry.country,
      {
        country: memberState(entry.country).name,
        currency: currencyOn(entry.country, snapshot.version),
        flag: `${flagCdnUrl}/${entry.country.toLowerCase()}.svg`,
        standard: jsonNumber(entry.standard),
        reduced: entry.reduced.map(jsonNumber),
        super_reduced: jsonNumber(entry.superReduced),
        parking: jsonNumber(entry.parking),
      },
    ]),
  );
  return JSON.stringify({ version: snapshot.version, source, rates });
}

/** Reads a text that {@link printSnapshot} printed; any other text is a bug and throws. */
export function parseSnapshot(body: string): RateSnapshot {
  const { version, rates } = parseExactJson(body) as {
    version: string;
    rates: Record<
      string,
      {
        standard: string;
        reduced: string[];
        super_reduced: string | null;
        parking: string | null;
      }
    >;
  };
  const entries = Object.entries(rates).map(([code, rate]) => {
    const country = parseCountryCode(code);
    if (country === undefined) throw new Error(`snapshot ${version}: unknown country ${code}`);
    return {
      country,
      standard: rate.standard,
      reduced: rate.reduced,
      superReduced: rate.super_reduced ?? undefined,
      parking: rate.parking ?? undefined,
    };
  });
  return { version: isoDate(version), entries };
}

/** Distinct decimals in ascending order. */
export function sortRates(values: Iterable<string>): string[] {
  return [...new Set(values)].sort(compareDecimals);
}
