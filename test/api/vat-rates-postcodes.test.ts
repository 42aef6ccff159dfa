import { beforeAll, describe, expect, it } from 'vitest';
import { findTerritories } from '../../src/rates/territories/find-territories.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { shareService } from '../support/start-service.ts';
import { readAsMagento, readAsWooCommerce, type Shop } from './support/shop-readers.ts';

type Exception = { readonly name: string; readonly postcode: string; readonly standard: number };
type Period = {
  readonly rates: Readonly<Record<string, number>>;
  readonly exceptions?: readonly Exception[];
};

/** Of the last three digits of a Portuguese code, which decide nothing: all, or the ends and one between. */
const streets =
  countOf({ full: 1_000, perCommit: 3 }) === 1_000 ? listCodes(3) : ['000', '123', '999'];
/** Shops read each code in a full run, and else some. */
const ofShops = countOf({ full: 1, perCommit: 97 });
const timeout = countOf({ full: 1_800_000, perCommit: 300_000 });

/** The codes of a country, with each way in which its post and programs write them. */
const spaces: Readonly<Record<string, () => Iterable<readonly string[]>>> = {
  CY: () => [...listCodes(4), ...listCodes(5)].map((code) => [code]),
  DE: () => listCodes(5).map((code) => [code]),
  DK: () => listCodes(4).map((code) => [code]),
  ES: () => listCodes(5).map((code) => [code]),
  FI: () => listCodes(5).map((code) => [code]),
  FR: () => listCodes(5).map((code) => [code]),
  GR: () => listCodes(5).map((code) => [code, code.replace(/^.../, '$& ')]),
  IT: () => listCodes(5).map((code) => [code]),
  PT: function* () {
    for (const code of listCodes(4)) {
      yield [code];
      for (const end of streets) yield [`${code}${end}`, `${code}-${end}`, `${code} ${end}`];
    }
  },
};
const countries = Object.keys(spaces);

function listCodes(digits: number): string[] {
  return Array.from({ length: 10 ** digits }, (_, code) => String(code).padStart(digits, '0'));
}

/** The codes of a country as its post writes them; those of Portugal without the street. */
function listWhole(country: string): string[] {
  if (country === 'CY') return [...listCodes(4), ...listCodes(3).map((code) => `99${code}`)];
  return listCodes(country === 'DK' || country === 'PT' ? 4 : 5);
}

/** The name of the place of a code in the files for shops; empty for the rest of the country. */
function placeOf(country: string, code: string, names: ReadonlySet<string>): string {
  const { territories, decided } = findTerritories(country, code);
  const name = decided === true ? (territories[0]?.name ?? '') : '';
  return names.has(name) ? name : '';
}

describe('the postcodes of the files for shops (rule G14, reliability R44)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
  let periods: ReadonlyMap<string, Period>;
  let shops: Readonly<Record<string, Shop>>;
  beforeAll(async () => {
    const read = async (file: string): Promise<string> =>
      (await service().get(`/rates/export/${file}`)).text;
    const { items } = JSON.parse(await read('vat-rates.json')) as {
      readonly items: Readonly<Record<string, readonly [Period]>>;
    };
    periods = new Map(Object.entries(items).map(([country, [newest]]) => [country, newest]));
    const magento = readAsMagento(
      await read('magento.csv'),
      [...periods.keys(), 'MC'],
      ['default'],
    );
    const wooCommerce = readAsWooCommerce(await read('woocommerce.csv'), []);
    shops = {
      WooCommerce: (address) => wooCommerce(address, ''),
      Magento: (address) => magento(address, 'standard'),
    };
  });

  it('are of each country whose places postcodes decide', () => {
    const found = [...periods].filter(([, { exceptions = [] }]) => exceptions.length > 0);

    expect(found.map(([country]) => country).sort()).toEqual(countries.toSorted());
  });

  it.each(countries)(
    'find exactly the codes of each place in %s, in readers that match and readers that search',
    { timeout },
    (country) => {
      const { exceptions = [] } = periods.get(country) ?? {};
      const readers = exceptions.map(({ name, postcode }) => ({
        name,
        matching: new RegExp(`^(?:${postcode})$`),
        searching: new RegExp(postcode),
      }));
      const names = new Set(exceptions.map(({ name }) => name));
      const wrong: string[] = [];
      const counts = { codes: 0, forms: 0, found: 0 };
      for (const forms of spaces[country]?.() ?? []) {
        const place = placeOf(country, forms[0] ?? '', names);
        counts.codes += 1;
        counts.forms += forms.length;
        if (place !== '') counts.found += 1;
        for (const form of forms) {
          const searched = readers.filter((one) => one.searching.test(form));
          const matched = readers.filter((one) => one.matching.test(form));
          for (const places of [searched, matched]) {
            const read = places.map(({ name }) => name).join(' and ');
            if (read !== place) wrong.push(`${form}: ${read}, not ${place}`);
          }
        }
      }

      const { codes, forms, found } = counts;
      reportFigure(
        'R44',
        `${country}: ${codes} postcodes in ${forms} spellings, ${found} of them of ${names.size} places: ${wrong.length} read wrongly`,
      );
      expect(wrong).toEqual([]);
      expect(found).toBeGreaterThan(0);
    },
  );

  it.each(countries)('have the rate of the same place in shops, in %s', { timeout }, (country) => {
    const { rates = {}, exceptions = [] } = periods.get(country) ?? {};
    const ratesOf = new Map(exceptions.map(({ name, standard }) => [name, standard]));
    const names = new Set(ratesOf.keys());
    const wrong: string[] = [];
    let codes = 0;
    for (const code of listWhole(country).filter((_, at) => at % ofShops === 0)) {
      const postcode = country === 'PT' ? `${code}-123` : code;
      const expected = ratesOf.get(placeOf(country, code, names)) ?? rates['standard'];
      codes += 1;
      for (const [shop, rateOf] of Object.entries(shops)) {
        const rate = rateOf({ country, postcode }, 'standard');
        if (rate !== expected) wrong.push(`${shop} ${postcode}: ${rate}, not ${expected}`);
      }
    }

    reportFigure(
      'R44',
      `${country}: ${codes} postcodes in WooCommerce and Magento: ${wrong.length} read wrongly`,
    );
    expect(wrong).toEqual([]);
  });
});
