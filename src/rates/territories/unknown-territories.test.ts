import { expect, it } from 'vitest';
import type { CategoryRow, CountryRows } from '../categories/category-row.ts';
import { listUnknownTerritories } from './unknown-territories.ts';

it('lists territories that the table does not know, once each (rule G7)', () => {
  const row = (territory: string | null) => ({ territory }) as CategoryRow;
  const countries = [
    { country: 'AT', rows: [row('Kleinwalsertal'), row('Kleinwalsertal'), row('Jungholz')] },
    { country: 'ES', rows: [row('Canary Islands'), row(null)] },
    { country: 'DE', rows: [row('not named')] },
  ] as unknown as readonly CountryRows[];

  expect(listUnknownTerritories(countries)).toEqual(['AT Kleinwalsertal', 'DE not named']);
});
