import type { CategoryRow as StoredRow } from '../../../src/rates/categories/category-row.ts';
import type { MatchedRow } from '../../../src/rates/categories/matched-row.ts';
import { judgeCountry, type Verdict } from '../../../src/rates/categories/verdict.ts';
import type { CategoryRow, ChangedRow, GoodsErratum, RateVerdict } from '../wire.ts';

/** The rows and errata that a search by words found in a country: the API judges codes and categories, and has no words. */
export type FoundInCountry = {
  readonly rows: readonly CategoryRow[];
  readonly errata: readonly GoodsErratum[];
  /** Null if the snapshot has none. */
  readonly standard: number | null;
  /** The number of entries without codes. */
  readonly uncoded: number;
};

/** The verdict on the rows that a search by words found, by the rule of the API (rules G5, G13). */
export function judgeFound({ rows, errata, standard, uncoded }: FoundInCountry): RateVerdict {
  const found = {
    rows: rows.map((row): MatchedRow => ({ ...row, ...toStored(row) })),
    errata: errata.map(({ source, law }) => ({ source, law: withText(law) })),
  };
  return toWire(judgeCountry(found, uncoded), standard);
}

/** A row as the service keeps it. The days that its comment names are left out, because changes have none. */
export function toStored(row: ChangedRow): StoredRow {
  const { cn_codes: cnCodes, cpa_codes: cpaCodes, situation_on: situationOn } = row;
  return { ...withText(row), cnCodes, cpaCodes, situationOn, inForce: null };
}

/** A treatment with its rate as the decimal that the service keeps. */
export function withText<T extends { readonly rate: number | null }>(
  taxed: T,
): Omit<T, 'rate'> & { readonly rate: string | null } {
  return { ...taxed, rate: taxed.rate === null ? null : String(taxed.rate) };
}

function toWire(verdict: Verdict, standard: number | null): RateVerdict {
  switch (verdict.kind) {
    case 'one':
      return { ...verdict, rate: verdict.rate === null ? null : Number(verdict.rate) };
    case 'depends':
      return { ...verdict, rates: verdict.rates.map(Number), standard };
    case 'none':
      return { ...verdict, standard };
  }
}
