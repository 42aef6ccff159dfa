import type { CsvTable } from '../../platform/csv/csv.ts';
import { memberState } from '../member-states.ts';
import type { RateSnapshot } from '../snapshot.ts';
import { listCountriesTreatedAs, listRates, listTerritoryPlaces, type Place } from './places.ts';
import { listPatterns } from './postcode-patterns.ts';

/** A file of tax rates in the form that a shop imports. */
export type ShopFile = {
  /** Of its path: `/rates/export/woocommerce.csv`. */
  readonly shop: 'woocommerce' | 'magento';
  readonly toTable: (snapshot: RateSnapshot) => CsvTable;
};

/**
 * WooCommerce: ten columns in this order; the importer counts them and ignores their names.
 *
 * All standard rates come first. WooCommerce stores a rate of a tax class that the shop does not have as a standard rate, and of
 * several rates for an address it takes the first one.
 */
const wooCommerce: ShopFile = {
  shop: 'woocommerce',
  toTable: (snapshot) => ({
    columns: [
      'Country code',
      'State code',
      'Postcode / ZIP',
      'City',
      'Rate %',
      'Tax name',
      'Priority',
      'Compound',
      'Shipping',
      'Tax class',
    ],
    rows: listByKind(snapshot).map(({ place, kind, rate }) => [
      place.country,
      '',
      patternsOf(place).join(';'),
      '',
      rate,
      `VAT ${rate}%`,
      '1',
      '0',
      '1',
      kind === 'standard' ? '' : `${kind}-rate`,
    ]),
  }),
};

/**
 * Magento 2 and Adobe Commerce: eight columns in this order, then a title for each store view, here `default`.
 *
 * A postcode is a row of its own. The code identifies a rate, so a later import replaces it.
 */
const magento: ShopFile = {
  shop: 'magento',
  toTable: (snapshot) => ({
    columns: [
      'Code',
      'Country',
      'State',
      'Zip/Post Code',
      'Rate',
      'Zip/Post is Range',
      'Range From',
      'Range To',
      'default',
    ],
    rows: listByKind(snapshot).flatMap(({ place, kind, rate }) => {
      const { code, country, postcodes } = place;
      return (postcodes.length === 0 ? ['*'] : patternsOf(place)).map((postcode) => {
        const ofPlace = code.startsWith(country) ? code : `${country}-${code}`;
        const beginning = postcode.replace('*', '');
        const name = ['VAT', ofPlace, kind, beginning].filter((part) => part !== '').join('-');
        return [name, country, '*', postcode, rate, '', '', '', `VAT ${rate}%`];
      });
    }),
  }),
};

export const shopFiles: readonly ShopFile[] = [wooCommerce, magento];

/** Exceptions of a rule are territories without VAT as well; a test sees to it. */
function patternsOf({ postcodes, country }: Place): string[] {
  return postcodes.flatMap((rule) => listPatterns(rule, country));
}

/** All rates of a snapshot by kind, and of each kind by country, each country before its territories. */
function listByKind(
  snapshot: RateSnapshot,
): { readonly place: Place; readonly kind: string; readonly rate: string }[] {
  const places = snapshot.entries.flatMap((entry): Place[] => {
    const { country } = entry;
    const { name } = memberState(country);
    return [
      { code: country, name, country, postcodes: [], rates: listRates(entry) },
      ...listTerritoryPlaces(entry, snapshot.version),
      ...listCountriesTreatedAs(entry),
    ];
  });
  const kinds = new Set(places.flatMap(({ rates }) => rates.map(({ kind }) => kind)));
  return [...kinds].flatMap((kind) =>
    places.flatMap((place) =>
      place.rates.filter((one) => one.kind === kind).map(({ rate }) => ({ place, kind, rate })),
    ),
  );
}
