import type { CategoryRow, CountryRows } from '../../src/rates/categories/category-row.ts';
import type { CountryCode } from '../../src/rates/member-states.ts';

/** A row of goods with a reduced rate of 5 %, unless `own` says otherwise. */
export function categoryRow(category: string, own: Partial<CategoryRow> = {}): CategoryRow {
  return {
    category,
    description: '',
    kind: 'reduced',
    treatment: 'rate',
    rate: '5',
    cnCodes: [],
    cpaCodes: [],
    comment: null,
    territory: null,
    deduction: true,
    scope: null,
    situationOn: '2026-07-01',
    ...own,
  };
}

export function rowsOf(country: string, ...rows: readonly CategoryRow[]): CountryRows {
  return { country: country as CountryCode, rows };
}
