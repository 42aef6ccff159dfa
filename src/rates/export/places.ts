import type { IsoDate } from '../../platform/time/time.ts';
import type { RateEntry, RateSnapshot } from '../snapshot.ts';
import { type PostcodeRule, territories, type Territory } from '../territories/territory.ts';

/** A rate kind, with the place of a reduced rate in the ascending list: `reduced`, `second-reduced`. */
export type PlaceRate = { readonly kind: string; readonly rate: string };

/** The addresses of a country, or of a territory of it, that have the same rates. */
export type Place = {
  /** The country code of the country, or a code of our own for the territory. */
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2, as it stands in the address. */
  readonly country: string;
  /** Of the post of its country; empty for all postcodes of the country that no other place has. */
  readonly postcodes: readonly PostcodeRule[];
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
 * Each has a rate for every kind of the country, because shops take another rate for a kind that is missing. One with other
 * kinds is left out ({@link listLeftOut}), and so are places that share their postcodes with the rest of the country, and
 * rates of sellers established there.
 */
export function listTerritoryPlaces(entry: RateEntry, date: IsoDate): Place[] {
  return listDecided(entry, date).flatMap(({ territory, postcodes }) => {
    const { code, name, country } = territory;
    const rates = ratesOf(territory, entry);
    return rates === undefined ? [] : [{ code, name, country, postcodes, rates }];
  });
}

/**
 * The names of the territories of a country that have rates of their own on a date, but not for each kind of the country: a
 * list of reduced rates of another length, or a super-reduced or parking rate that is not known there.
 */
export function listLeftOut(entry: RateEntry, date: IsoDate): string[] {
  return listDecided(entry, date)
    .filter(({ territory }) => ratesOf(territory, entry) === undefined)
    .map(({ territory }) => territory.name);
}

/** Says of each territory that {@link listLeftOut} names why no file for shops has it. */
export function describeLeftOut({ entries, version }: RateSnapshot): string[] {
  return entries.flatMap((entry) =>
    listLeftOut(entry, version).map(
      (name) =>
        `${name} is in no file for shops, because its rates do not correspond to those of ${entry.country}`,
    ),
  );
}

/** The territories of a country that its postcodes decide, and whose rates are known to hold on a date. */
function listDecided(
  { country }: RateEntry,
  date: IsoDate,
): { readonly territory: Territory; readonly postcodes: readonly PostcodeRule[] }[] {
  return territories.flatMap((territory) => {
    const { vatTerritory, appliesTo, rates } = territory;
    const isKnown =
      vatTerritory === 'outside' ||
      (appliesTo === 'place of supply there' && (rates?.since ?? '9999') <= date);
    const postcodes = territory.postcodes.filter(
      (rule) => rule.country === undefined && rule.shared !== true,
    );
    const isDecided = territory.country === country && isKnown && postcodes.length > 0;
    return isDecided ? [{ territory, postcodes }] : [];
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

/** The rates of a territory for each kind of its country; undefined if one of them is not known. */
function ratesOf({ vatTerritory, rates }: Territory, entry: RateEntry): PlaceRate[] | undefined {
  const kinds = listRates(entry).map(({ kind }) => kind);
  if (vatTerritory === 'outside') return kinds.map((kind) => ({ kind, rate: '0' }));
  const own = listRates({
    standard: String(rates?.standard),
    reduced: rates?.reduced?.map(String) ?? [],
    superReduced: undefined,
    parking: rates?.parking?.toString(),
  });
  // A rate of a kind that the country does not have that day is that of no goods.
  const matching = own.filter(({ kind }) => kinds.includes(kind));
  const isSameLength = (rates?.reduced?.length ?? 0) === entry.reduced.length;
  return isSameLength && matching.length === kinds.length ? matching : undefined;
}
