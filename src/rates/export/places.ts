import type { IsoDate } from '../../platform/time/time.ts';
import type { RateEntry } from '../snapshot.ts';
import { territories, type Territory } from '../territories/territory.ts';
import { listPatterns } from './postcode-patterns.ts';

/** A rate kind, with the place of a reduced rate in the ascending list: `reduced`, `second-reduced`. */
export type PlaceRate = { readonly kind: string; readonly rate: string };

/** The addresses of a country, or of a territory of it, that have the same rates. */
export type Place = {
  /** The country code of the country, or a code of our own for the territory. */
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2, as it stands in the address. */
  readonly country: string;
  /** See {@link listPatterns}; empty for all postcodes of the country that no other place has. */
  readonly postcodes: readonly string[];
  readonly rates: readonly PlaceRate[];
};

const ordinals = ['', 'second-', 'third-', 'fourth-', 'fifth-'];

/** The rates of a country: standard, reduced ascending, super-reduced, parking. */
export function listRates(
  entry: Pick<RateEntry, 'standard' | 'reduced' | 'superReduced' | 'parking'>,
): PlaceRate[] {
  const { standard, reduced, superReduced, parking } = entry;
  return [
    { kind: 'standard', rate: standard },
    ...reduced.map((rate, at) => ({ kind: `${ordinals[at] ?? `${at + 1}th-`}reduced`, rate })),
    ...(superReduced === undefined ? [] : [{ kind: 'super-reduced', rate: superReduced }]),
    ...(parking === undefined ? [] : [{ kind: 'parking', rate: parking }]),
  ];
}

/**
 * The territories of a country with their rates on a date, as far as the postcode of a customer decides them:
 *
 * - outside the VAT area of the EU: 0 in each kind of the country, because goods that are sent there are exported;
 * - with VAT rates for supplies there, from the day on which they are known to hold.
 *
 * A place that shares its postcodes with the rest of the country is left out, and so are rates of sellers established there.
 */
export function listTerritoryPlaces(entry: RateEntry, date: IsoDate): Place[] {
  return territories.flatMap((territory) => {
    const rates = territory.country === entry.country ? ratesOf(territory, entry, date) : [];
    const own = territory.postcodes.filter((rule) => rule.country === undefined && !rule.shared);
    if (rates.length === 0 || own.length === 0) return [];
    const { code, name, country } = territory;
    // Exceptions of a rule are territories without VAT as well; a test sees to it.
    const postcodes = own.flatMap((rule) => listPatterns(rule, country));
    return [{ code, name, country, postcodes, rates }];
  });
}

/** Countries of addresses that count as another one and are not part of it by their code: Monaco as France. */
export function listCountriesTreatedAs(entry: RateEntry): Place[] {
  return territories
    .filter(
      ({ code, vatTerritory, treatAs }) =>
        vatTerritory === 'part of another state' &&
        treatAs === entry.country &&
        /^[A-Z]{2}$/.test(code),
    )
    .map(({ code, name }) => ({
      code,
      name,
      country: code,
      postcodes: [],
      rates: listRates(entry),
    }));
}

function ratesOf(territory: Territory, entry: RateEntry, date: IsoDate): PlaceRate[] {
  const { vatTerritory, appliesTo, rates } = territory;
  if (vatTerritory === 'outside') return listRates(entry).map(({ kind }) => ({ kind, rate: '0' }));
  const isKnown = typeof rates?.since === 'string' && rates.since <= date;
  if (!isKnown || appliesTo !== 'place of supply there') return [];
  const reduced = rates.reduced?.map(String) ?? [];
  return listRates({
    standard: String(rates.standard),
    // Places in two lists of different lengths do not correspond.
    reduced: reduced.length === entry.reduced.length ? reduced : [],
    superReduced: undefined,
    parking: undefined,
  });
}
