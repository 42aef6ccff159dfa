import type { IsoDate } from '../platform/time/time.ts';

/** An ISO 3166-1 alpha-2 code of a Member State: `GR` for Greece. */
export type CountryCode = string & { readonly __brand: 'CountryCode' };

type MemberState = {
  readonly country: CountryCode;
  /** Its code in TEDB: `EL` for Greece. */
  readonly registryCode: string;
  /** Common English name. */
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The currency of snapshots before a date, if it has changed since TEDB's records begin in 2016. */
  readonly earlier: { readonly currency: string; readonly before: IsoDate } | undefined;
};

/** The EU-27 by country code, ascending (contract C14). */
export const memberStates: readonly MemberState[] = [
  state('AT', 'Austria', 'EUR'),
  state('BE', 'Belgium', 'EUR'),
  state('BG', 'Bulgaria', 'EUR', { currency: 'BGN', before: '2026-01-01' as IsoDate }),
  state('CY', 'Cyprus', 'EUR'),
  state('CZ', 'Czechia', 'CZK'),
  state('DE', 'Germany', 'EUR'),
  state('DK', 'Denmark', 'DKK'),
  state('EE', 'Estonia', 'EUR'),
  state('ES', 'Spain', 'EUR'),
  state('FI', 'Finland', 'EUR'),
  state('FR', 'France', 'EUR'),
  state('GR', 'Greece', 'EUR'),
  state('HR', 'Croatia', 'EUR', { currency: 'HRK', before: '2023-01-01' as IsoDate }),
  state('HU', 'Hungary', 'HUF'),
  state('IE', 'Ireland', 'EUR'),
  state('IT', 'Italy', 'EUR'),
  state('LT', 'Lithuania', 'EUR'),
  state('LU', 'Luxembourg', 'EUR'),
  state('LV', 'Latvia', 'EUR'),
  state('MT', 'Malta', 'EUR'),
  state('NL', 'Netherlands', 'EUR'),
  state('PL', 'Poland', 'PLN'),
  state('PT', 'Portugal', 'EUR'),
  state('RO', 'Romania', 'RON'),
  state('SE', 'Sweden', 'SEK'),
  state('SI', 'Slovenia', 'EUR'),
  state('SK', 'Slovakia', 'EUR'),
];

const byCountry = new Map(memberStates.map((m) => [m.country as string, m]));

/** The Member State of a country code; throws for any other code, which would be a bug. */
export function memberState(country: CountryCode): MemberState {
  const found = byCountry.get(country);
  if (found === undefined) throw new Error(`not a Member State: ${country}`);
  return found;
}

/** Reads the country code of a Member State; undefined for anything else. */
export function parseCountryCode(text: string): CountryCode | undefined {
  return byCountry.get(text)?.country;
}

/** The currency that a Member State had on a date. */
export function currencyOn(country: CountryCode, date: IsoDate): string {
  const { currency, earlier } = memberState(country);
  return earlier !== undefined && date < earlier.before ? earlier.currency : currency;
}

function state(
  country: string,
  name: string,
  currency: string,
  earlier?: MemberState['earlier'],
): MemberState {
  const registryCode = country === 'GR' ? 'EL' : country;
  return { country: country as CountryCode, registryCode, name, currency, earlier };
}
