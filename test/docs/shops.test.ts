import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { publicRates } from './support/public-vat-rates.ts';

type Period = {
  readonly rates: Readonly<Record<string, number>>;
  readonly exceptions?: readonly {
    readonly name: string;
    readonly postcode: string;
    readonly standard: number;
  }[];
};

const service = shareService({ lived: ['2025-07-15T16:00:00Z'] });

/** The rates and places of one side that the other side does not have, or has with another rate. */
function print(parts: readonly (readonly [name: string, rate: number])[]): string {
  return parts.map(([name, rate]) => `${name} ${rate}`).join(', ') || 'none';
}

/** The rows of the table in docs/shops.md: for each country what differs, in the public list and in ours. */
async function listDifferences(): Promise<string[]> {
  const { text } = await service().get('/rates/export/vat-rates.json');
  const { items } = JSON.parse(text) as {
    readonly items: Readonly<Record<string, readonly Period[]>>;
  };
  return Object.entries(publicRates).flatMap(([country, { rates: theirs, places }]) => {
    const { rates = {}, exceptions = [] } = items[country]?.[0] ?? {};
    const ofPostcode = (postcode: string) =>
      exceptions.find((one) => new RegExp(one.postcode).test(postcode));
    const same = places.filter(([, code, rate]) => ofPostcode(code)?.standard === rate);
    const sameNames = same.map(([, code]) => ofPostcode(code)?.name);
    const theirParts = [
      ...Object.entries(theirs).filter(([kind, rate]) => rates[kind] !== rate),
      ...places.filter((one) => !same.includes(one)).map(([name, , rate]) => [name, rate] as const),
    ];
    const ourParts = [
      ...Object.entries(rates).filter(([kind, rate]) => theirs[kind] !== rate),
      ...exceptions
        .filter(({ name }) => !sameNames.includes(name))
        .map(({ name, standard }) => [name, standard] as const),
    ];
    const differs = theirParts.length + ourParts.length > 0;
    return differs ? [`| ${country} | ${print(theirParts)} | ${print(ourParts)} |`] : [];
  });
}

describe('docs/shops.md (rule G14)', () => {
  it('has each difference between vat-rates.json and the public list of that name', async () => {
    const page = readFileSync(new URL('../../docs/shops.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| [A-Z]{2} \|/.test(line));

    expect(rows).toEqual(await listDifferences());
  });
});
