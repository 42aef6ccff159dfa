import { quote } from '../../platform/values/quote.ts';
import { parseMemberState } from '../read-member-state.ts';
import type { CountryRows } from '../categories/category-row.ts';

import table from './territories.json' with { type: 'json' };

/** A rule for postcodes. Both ends of a range are included; blanks and hyphens are left out. */
export type PostcodeRule = {
  /** The country whose post uses the code, if it is not the country of the territory. */
  readonly country?: string;
  /** A code of another place is never in it: longer codes with another meaning. */
  readonly except?: readonly string[];
  readonly place?: string;
  /** Other places have the code as well, so it decides nothing. */
  readonly shared?: boolean;
} & (
  | { readonly prefix: string; readonly from?: undefined; readonly to?: undefined }
  | { readonly from: string; readonly to: string; readonly prefix?: undefined }
);

/** A territory whose VAT treatment differs from that of its Member State, by law (rule G8). */
export type Territory = {
  /** ISO 3166 if there is a code, otherwise our own. */
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2 of the state that it belongs to. */
  readonly country: string;
  /** Other codes that are used as its country or region: `IC`, `GP`, `FR-971`. */
  readonly alsoKnownAs: readonly string[];
  readonly vatTerritory: 'outside' | 'special rates' | 'part of another state' | 'goods only';
  /** The country as which it counts; null for none. */
  readonly treatAs: string | null;
  /** The rates of law, in percentage points; null if there are none of its own or they are not known here. */
  readonly rates: {
    readonly tax: string;
    readonly standard: number;
    /** All that hold there, ascending; null if they are not listed. */
    readonly reduced: readonly number[] | null;
    /** What holds there for goods at the parking rate of the state; null if it has none or it is not known here. */
    readonly parking: number | null;
    /** The first day on which all of them hold, or the standard rate if the note has the days of others; null if not known. */
    readonly since: string | null;
  } | null;
  /** Whose supplies the rates cover; null if nothing depends on it. */
  readonly appliesTo: string | null;
  readonly note: string;
  readonly legalBasis: string;
  /** A word of TEDB's text about it; null if TEDB has no rows for it. */
  readonly tedbName: string | null;
  readonly postcodes: readonly PostcodeRule[];
};

/** The territories, by state. `docs/decisions/goods-categories.md` has the sources. */
export const territories = table as readonly Territory[];

/** Whether a code means the territory itself: `IC`, `GP`, `FR-971`. */
export function isNamedBy({ code, alsoKnownAs }: Territory, asked: string): boolean {
  return code === asked || alsoKnownAs.includes(asked);
}

/**
 * Reads the country of an address: a Member State, or a code that the table has for a state, for a territory, or for the
 * post of a postcode. In any letter case; `EL` is `GR`. Undefined for any other text.
 */
export function readAddressCountry(text: string): string | undefined {
  const state = parseMemberState(text);
  if (state !== undefined || !/^[A-Za-z0-9-]+$/.test(text)) return state;
  const code = text.toUpperCase();
  return namedCodes.has(code) ? code : undefined;
}

const namedCodes: ReadonlySet<string> = new Set(
  territories.flatMap(({ code, country, alsoKnownAs, postcodes }) => [
    code,
    country,
    ...alsoKnownAs,
    ...postcodes.flatMap((rule) => rule.country ?? []),
  ]),
);

/** The territories that a text of TEDB about a country names; none if the table does not know it. */
export function namedByTedb(country: string, text: string): readonly Territory[] {
  return territories.filter(
    (one) => one.country === country && one.tedbName !== null && text.includes(one.tedbName),
  );
}

/** The territories that TEDB names and the table of territories does not know: `AT Kleinwalsertal` (rule G7). */
export function listUnknownTerritories(countries: readonly CountryRows[]): readonly string[] {
  const named = countries.flatMap(({ country, rows, standardOfTerritories = [] }) =>
    [...rows, ...standardOfTerritories].flatMap(({ territory }) =>
      territory === null || namedByTedb(country, territory).length > 0
        ? []
        : [`${country} ${quote(territory)}`],
    ),
  );
  return [...new Set(named)].sort();
}
