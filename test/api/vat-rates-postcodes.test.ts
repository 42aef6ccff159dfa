import { describe, expect, it } from 'vitest';
import { findTerritories } from '../../src/rates/territories/find-territories.ts';
import { shareService } from '../support/start-service.ts';

type Exception = { readonly name: string; readonly postcode: string };
type Items = Readonly<Record<string, readonly { readonly exceptions?: readonly Exception[] }[]>>;

/** The codes of a country, with each way in which its post and programs write them. */
const spaces: Readonly<Record<string, readonly (readonly string[])[]>> = {
  CY: [...listCodes(4), ...listCodes(5)].map((code) => [code]),
  DE: listCodes(5).map((code) => [code]),
  DK: listCodes(4).map((code) => [code]),
  ES: listCodes(5).map((code) => [code]),
  FI: listCodes(5).map((code) => [code]),
  FR: listCodes(5).map((code) => [code]),
  GR: listCodes(5).map((code) => [code, code.replace(/^.../, '$& ')]),
  IT: listCodes(5).map((code) => [code]),
  // Of the last three digits, which decide nothing, the ends and one between.
  PT: listCodes(4).flatMap((code) => [
    [code],
    ...['000', '123', '999'].map((end) => [`${code}${end}`, `${code}-${end}`, `${code} ${end}`]),
  ]),
};

function listCodes(digits: number): string[] {
  return Array.from({ length: 10 ** digits }, (_, code) => String(code).padStart(digits, '0'));
}

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function readExceptions(): Promise<ReadonlyMap<string, readonly Exception[]>> {
  const { text } = await service().get('/rates/export/vat-rates.json');
  const { items } = JSON.parse(text) as { readonly items: Items };
  const withPlaces = Object.entries(items).map(([country, [newest]]) => [
    country,
    newest?.exceptions ?? [],
  ]);
  return new Map(withPlaces as [string, Exception[]][]);
}

describe('the postcodes of vat-rates.json (rule G14)', () => {
  it('are of each country whose places postcodes decide', async () => {
    const countries = [...(await readExceptions())].filter(([, own]) => own.length > 0);

    expect(countries.map(([country]) => country).sort()).toEqual(Object.keys(spaces).sort());
  });

  it.each(Object.keys(spaces))(
    'find exactly the codes of each place in %s, in readers that match and readers that search',
    async (country) => {
      const exceptions = (await readExceptions()).get(country) ?? [];
      const readers = exceptions.map(({ name, postcode }) => ({
        name,
        matching: new RegExp(`^(?:${postcode})$`),
        searching: new RegExp(postcode),
      }));
      const names = new Set(exceptions.map(({ name }) => name));
      const wrong: string[] = [];
      let found = 0;
      for (const forms of spaces[country] ?? []) {
        const { territories, decided } = findTerritories(country, forms[0]);
        const expected = decided === true ? (territories[0]?.name ?? '') : '';
        const place = names.has(expected) ? expected : '';
        if (place !== '') found++;
        for (const form of forms) {
          const searched = readers.filter((one) => one.searching.test(form));
          const matched = readers.filter((one) => one.matching.test(form));
          for (const places of [searched, matched]) {
            const read = places.map(({ name }) => name).join(' and ');
            if (read !== place) wrong.push(`${form}: ${read}, not ${place}`);
          }
        }
      }

      expect(wrong).toEqual([]);
      expect(found).toBeGreaterThan(0);
    },
  );
});
