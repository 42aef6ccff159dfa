import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { printSnapshot } from '../../src/rates/snapshot.ts';
import { insertBackfilled } from '../../src/rates/store.ts';
import { findTerritories } from '../../src/rates/territories/find-territories.ts';
import { territories } from '../../src/rates/territories/territory.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { runCommand } from '../support/run-cli.ts';
import { shareService, startService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import {
  readAsMagento,
  readAsVatRates,
  readAsWooCommerce,
  type Shop,
} from './support/shop-readers.ts';

const service = shareService({
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20'),
  lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
});

const classes = [
  'standard-rate',
  'reduced-rate',
  'second-reduced-rate',
  'super-reduced-rate',
  'parking-rate',
];
const countries =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK'.split(' ');

/** Reads the file of a shop, and asks for kinds by the names of rates: `standard`, `second-reduced`. */
const shops: Readonly<Record<string, (query?: string) => Promise<Shop>>> = {
  woocommerce: async (query = '') => {
    const { text } = await service().get(`/rates/export/woocommerce.csv${query}`);
    const shop = readAsWooCommerce(text, classes);
    return (address, kind) => shop(address, kind === 'standard' ? '' : `${kind}-rate`);
  },
  magento: async (query = '') =>
    readAsMagento((await service().get(`/rates/export/magento.csv${query}`)).text, countries, [
      'default',
    ]),
};

describe.each(Object.entries(shops))('GET /rates/export/%s.csv', (shop, open) => {
  const path = `/rates/export/${shop}.csv`;

  it.each([
    ['AT', '1010', 'standard', 20],
    ['AT', '1010', 'reduced', 10],
    ['AT', '1010', 'second-reduced', 13],
    ['AT', '1010', 'super-reduced', 4.9],
    ['AT', '6691', 'standard', 20],
    ['BE', '1000', 'parking', 12],
    ['CY', '1010', 'standard', 19],
    ['CY', '9900', 'standard', 0],
    ['CY', '99300', 'second-reduced', 0],
    ['DE', '10115', 'second-reduced', undefined],
    ['DE', '78266', 'reduced', 0],
    ['DK', '3900', 'standard', 0],
    ['ES', '28001', 'standard', 21],
    ['ES', '35001', 'standard', 0],
    ['ES', '38700', 'super-reduced', 0],
    ['FI', '00100', 'standard', 25.5],
    ['FR', '97133', 'standard', 0],
    ['FR', '20000', 'reduced', 5.5],
    ['GR', '81400', 'standard', 24],
    ['GR', '63086', 'standard', 0],
    ['HU', '1011', 'standard', 25],
    ['IT', '23030', 'standard', 22],
    ['IT', '00120', 'standard', 0],
    ['MC', '98000', 'standard', 20],
    ['PT', '1000-001', 'second-reduced', 13],
    ['PT', '9500-123', 'standard', 16],
    ['PT', '9000-001', 'second-reduced', 12],
    ['PT', '9999-999', 'reduced', 4],
    ['CH', '8238', 'standard', undefined],
    ['EL', '10431', 'standard', undefined],
  ])('in %s, postcode %s, the %s rate is %s', async (country, postcode, kind, rate) => {
    expect((await open())({ country, postcode }, kind)).toBe(rate);
  });

  it('charges nothing in exactly the postcodes that are decided to be outside the VAT area', async () => {
    const shopOf = await open();
    const outside = ({ country, postcode }: { country: string; postcode: string }): boolean => {
      const found = findTerritories(country, postcode.replace('-', ''));
      return found.decided === true && found.territories[0]?.vatTerritory === 'outside';
    };
    const addresses = listEdges().filter(({ postcode }) => postcode !== '98999');

    const free = addresses.filter((address) => shopOf(address, 'standard') === 0);

    expect(free.length).toBeGreaterThan(60);
    expect(free).toEqual(addresses.filter(outside));
  });

  it('has the rates of a date, which may be kept permanently', async () => {
    const [dated, latest] = [
      await service().get(`${path}?date=2026-11-19`),
      await service().get(path),
    ];
    const again = await service().get(path, { 'if-none-match': String(latest.headers['etag']) });

    const hungary = { country: 'HU', postcode: '1011' };
    expect((await open('?date=2026-11-19'))(hungary, 'standard')).toBe(27);
    expect(dated.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(latest.headers['cache-control']).toBe(
      'public, max-age=3600, stale-while-revalidate=86400',
    );
    expect(latest.headers['content-disposition']).toBe(
      `attachment; filename="${shop}-tax-rates-2026-11-20.csv"`,
    );
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('links to the known errors of the source on the date (rule X2)', async () => {
    const version = isoDate('2020-09-15');
    const body = printSnapshot({ version, entries: [] }, 'https://flags.example');
    const from = { inputDigest: 'x', at: '2026-11-20T07:00:00.000Z' };
    await insertBackfilled(service().core.db, [{ version, body }], from);

    const { headers } = await service().get(`${path}?date=2020-09-15`);

    expect(headers['link']).toBe('</rates/errata?date=2020-09-15>; rel="describedby"');
  });

  it.each([
    ['?date=2026-02-30', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['?date=', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['?since=2026-11-20', 400, "unknown parameter 'since'"],
    ['?date=2026-11-21', 404, 'snapshot not found'],
  ])('%s is %i "%s"', async (query, status, error) => {
    const answer = await service().get(`${path}${query}`);

    expect(formOf(answer)).toEqual(errorForm(status, error));
    expect(answer.headers['link']).toBe(
      status === 404 ? '</rates/2026-11-20>; rel="prev"' : undefined,
    );
  });
});

it('a place whose country gets another number of reduced rates is left out of each file, which the job and doctor report', async () => {
  const other = await startService({
    script: (scenario) => changeRate(scenario, 'PT', 'reduced', ['6', '13', '14'], '2026-11-20'),
    lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
  });
  const rateOn = async (date: string, kind: string) => {
    const { text } = await other.get(`/rates/export/magento.csv?date=${date}`);
    return readAsMagento(text, countries, [])({ country: 'PT', postcode: '9500-123' }, kind);
  };
  const kinds = ['standard', 'reduced', 'second-reduced', 'parking'];
  const on = async (date: string) => Promise.all(kinds.map(async (kind) => rateOn(date, kind)));

  expect(await on('2026-11-19')).toEqual([16, 4, 9, 9]);
  expect(await on('2026-11-20')).toEqual([23, 6, 13, 13]);
  const { stdout } = await runCommand(['doctor'], databaseSettings(other.config.databaseUrl));
  expect(stdout).toContain(
    'Azores is in no file for shops, because its rates do not correspond to those of PT; Madeira is',
  );
});

it('a shop keeps its standard rates if it lacks the tax classes of WooCommerce', async () => {
  const { text } = await service().get('/rates/export/woocommerce.csv');
  const [complete, bare] = [readAsWooCommerce(text, classes), readAsWooCommerce(text, [])];

  const differing = listEdges().filter((address) => complete(address, '') !== bare(address, ''));

  expect(differing).toEqual([]);
});

it('a shop without a store view named default imports the file of Magento', async () => {
  const { text } = await service().get('/rates/export/magento.csv');

  expect(
    readAsMagento(text, countries, [])({ country: 'SE', postcode: '111 22' }, 'standard'),
  ).toBe(25);
});

describe('GET /rates/export/vat-rates.json', () => {
  it('has the rates of each stored day, as its usual reader finds them', async () => {
    const { headers, text } = await service().get('/rates/export/vat-rates.json');
    const rateOf = readAsVatRates(text);

    expect(headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
    expect(text).toMatch(
      /^\{"details":"[^"]*from 2026-11-19 to 2026-11-20[^"]*","version":null,"items":\{"AT":/,
    );
    expect(rateOf('HU', '2026-11-18', 'standard')).toBeUndefined();
    expect(rateOf('HU', '2026-11-19', 'standard')).toBe(27);
    expect(rateOf('HU', '2027-01-01', 'standard')).toBe(25);
    expect(rateOf('HU', '2026-11-20', 'reduced2')).toBe(18);
    expect(rateOf('DE', '2026-11-20', 'reduced')).toBe(7);
    expect(rateOf('DE', '2026-11-20', 'reduced', '78266')).toBe(0);
    expect(rateOf('PT', '2026-11-20', 'reduced1', '9500123')).toBe(4);
    expect(rateOf('LU', '2026-11-20', 'super_reduced')).toBe(3);
    expect(rateOf('LU', '2026-11-20', 'parking')).toBe(14);
  });

  it('takes no date, because an older day that is stored later would change it', async () => {
    const answer = await service().get('/rates/export/vat-rates.json?date=2026-11-19');

    expect(formOf(answer)).toEqual(errorForm(400, "unknown parameter 'date'"));
  });
});

/**
 * Postcodes at and beside the ends of the rules of each country, and some between.
 *
 * Without 98999, which is no postcode: `9*` of the four digits in Cyprus contains it, because a beginning names no length.
 */
function listEdges(): { readonly country: string; readonly postcode: string }[] {
  return territories.flatMap(({ country, postcodes }) =>
    countries.includes(country)
      ? postcodes.flatMap((rule) => {
          const [from, to] =
            rule.prefix === undefined ? [rule.from, rule.to] : [rule.prefix, rule.prefix];
          const length = country === 'PT' ? 7 : (rule.from?.length ?? 5);
          const [low, high] = [from.padEnd(length, '0'), to.padEnd(length, '9')].map(Number);
          return [low! - 1, low!, Math.floor((low! + high!) / 2), high!, high! + 1].map((code) => {
            const digits = String(code).padStart(length, '0');
            return {
              country,
              postcode: country === 'PT' ? digits.replace(/(?=...$)/, '-') : digits,
            };
          });
        })
      : [],
  );
}
