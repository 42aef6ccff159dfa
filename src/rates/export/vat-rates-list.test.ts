import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { addDays, isoDate } from '../../platform/time/time.ts';
import type { CountryCode } from '../member-states.ts';
import { printSnapshot, type RateEntry } from '../snapshot.ts';
import { insertBackfilled } from '../store.ts';
import { printVatRatesList } from './vat-rates-list.ts';

type Period = {
  readonly effective_from: string;
  readonly rates: object;
  readonly exceptions?: readonly { readonly name: string }[];
};

/** The periods of days; each day has the standard rates of its countries: `AT 20, PT 23`. */
async function listOf(
  days: readonly (readonly [date: string, rates: string])[],
  newest = days.at(-1)?.[0] ?? '',
) {
  const db = await openTemporaryDatabase();
  const snapshots = days.map(([date, rates]) => {
    const version = isoDate(date);
    const entries = rates.split(', ').map((text): RateEntry => {
      const [country, standard = '', ...reduced] = text.split(' ');
      return {
        country: country as CountryCode,
        standard,
        reduced,
        superReduced: undefined,
        parking: undefined,
      };
    });
    return { version, body: printSnapshot({ version, entries }, 'https://flags.example') };
  });
  await insertBackfilled(db, snapshots, { inputDigest: 'x', at: '2026-11-20T07:00:00.000Z' });
  const list = JSON.parse(await printVatRatesList(db, isoDate(newest))) as {
    readonly details: string;
    readonly items: Readonly<Record<string, readonly Period[]>>;
  };
  const begins = Object.entries(list.items).map(([country, periods]) =>
    [country, ...periods.map((one) => one.effective_from)].join(' '),
  );
  return { ...list, begins };
}

const daysBetween = (from: string, count: number, rates: string) =>
  Array.from({ length: count }, (_, at) => [addDays(isoDate(from), at), rates] as const);

describe('printVatRatesList', () => {
  it('begins a period on each day on which rates differ from those of the day before', async () => {
    const { begins, details, items } = await listOf([
      ...daysBetween('2022-01-01', 100, 'AT 20 10 13, SE 25'),
      ...daysBetween('2022-04-11', 100, 'AT 20 10 13, SE 24'),
      ...daysBetween('2022-07-20', 2, 'AT 20 10, SE 25'),
    ]);

    expect(begins).toEqual(['AT 2022-07-20 2022-01-01', 'SE 2022-07-20 2022-04-11 2022-01-01']);
    expect(items['AT']).toEqual([
      { effective_from: '2022-07-20', rates: { standard: 20, reduced: 10 } },
      { effective_from: '2022-01-01', rates: { standard: 20, reduced1: 10, reduced2: 13 } },
    ]);
    expect(details).toContain('from 2022-01-01 to 2022-07-21');
  });

  it('leaves out days that this process has not published yet', async () => {
    const days = [...daysBetween('2022-01-01', 2, 'AT 20'), ['2022-01-03', 'AT 21'] as const];

    expect((await listOf(days, '2022-01-02')).begins).toEqual(['AT 2022-01-01']);
  });

  it('begins behind the last day that is missing', async () => {
    const days = [
      ...daysBetween('2022-01-01', 3, 'AT 20'),
      ...daysBetween('2022-01-05', 3, 'AT 20'),
    ];

    expect((await listOf(days)).begins).toEqual(['AT 2022-01-05']);
  });

  it('begins for a country behind the last day on which it had no standard rate', async () => {
    const days = [
      ['2022-01-01', 'AT 20, SE 25, HU 27'],
      ['2022-01-02', 'AT 20, HU 27'],
      ['2022-01-03', 'AT 20, SE 25'],
    ] as const;

    expect((await listOf(days)).begins).toEqual(['AT 2022-01-01', 'SE 2022-01-03']);
  });

  it('begins a period on the first day of the rates of a territory', async () => {
    const { begins, items } = await listOf(daysBetween('2021-06-29', 4, 'PT 23 6 13'));

    expect(begins).toEqual(['PT 2021-07-01 2021-06-29']);
    expect(items['PT']?.map((one) => one.exceptions)).toEqual([
      [
        {
          name: 'Azores',
          postcode: expect.stringMatching(/^\^\(95/),
          standard: 16,
          reduced1: 4,
          reduced2: 9,
        },
      ],
      undefined,
    ]);
  });

  it('has the territories outside the VAT area with their own postcodes of the country', async () => {
    const { items } = await listOf([['2021-07-01', 'CY 19 5 9, DE 19 7, IT 22 5 10']]);

    const names = (country: string) =>
      (items[country]?.[0]?.exceptions ?? []).map(({ name }) => name);
    expect(names('CY')).toEqual([
      'Areas of Cyprus not under the effective control of its Government',
    ]);
    expect(names('DE')).toEqual(['Heligoland', 'Büsingen am Hochrhein']);
    expect(items['IT']?.[0]?.exceptions).toContainEqual({
      name: 'Livigno',
      postcode: '^(23041)$',
      standard: 0,
      reduced1: 0,
      reduced2: 0,
    });
  });

  it.each([
    ['PT 23 6', 'another number of reduced rates'],
    ['PT 23 6 13 14', 'one more reduced rate'],
  ])(
    'leaves a territory out if %s has %s than there are known for it, and says so',
    async (rates) => {
      const { items, details } = await listOf([['2021-07-01', rates]]);

      expect(items['PT']?.[0]).not.toHaveProperty('exceptions');
      expect(details).toMatch(/ are without it: Azores\.$/);
    },
  );
});
