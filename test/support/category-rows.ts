import { isoDate } from '../../src/platform/time/time.ts';
import type { CategoryRow, CountryRows } from '../../src/rates/categories/category-row.ts';
import { matchRows, type Matches } from '../../src/rates/categories/match-rows.ts';
import type { RowFilter } from '../../src/rates/categories/matched-row.ts';
import type { GoodsErratum } from '../../src/rates/errata/goods-erratum.ts';
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
    inForce: null,
    situationOn: '2026-07-01',
    ...own,
  };
}

export function rowsOf(country: string, ...rows: readonly CategoryRow[]): CountryRows {
  return { country: country as CountryCode, rows };
}

/** An erratum of goods of Germany: rows of FOOD at 7 %, unless `own` says otherwise. */
export function goodsErratum(id: string, own: Partial<GoodsErratum>): GoodsErratum {
  return {
    id,
    country: 'DE',
    category: 'FOOD',
    codeKind: 'cn',
    codes: [],
    commentBegins: null,
    from: null,
    to: null,
    source: { treatment: 'rate', rate: '7' },
    law: { treatment: 'rate', rate: '19' },
    condition: null,
    legalBasis: 'Act 1',
    reference: null,
    seen: 'primary',
    note: null,
    by: null,
    ...own,
  };
}

/** Matches the rows of 2026-11-20 with a request; conditions that `filter` leaves out do not count. */
export function matchDay(
  countries: readonly CountryRows[],
  filter: Partial<RowFilter>,
  errata: readonly GoodsErratum[] = [],
): Matches {
  return matchRows(
    { version: isoDate('2026-11-20'), countries, errata },
    {
      country: undefined,
      category: undefined,
      cn: undefined,
      cpa: undefined,
      withTerritories: false,
      withUncoded: false,
      ...filter,
    },
  );
}
