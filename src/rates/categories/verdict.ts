import { compareDecimals } from '../../platform/values/decimal.ts';
import type { GoodsErratum, Taxation } from '../errata/goods-erratum.ts';
import { isDomestic, printRate, type Treatment, treatments } from './category-row.ts';
import type { MatchedRow } from './matched-row.ts';

/** The answer of a country's rows to a question by code or category (rule G13). */
export type Verdict =
  /** One rate for the whole code, without a condition. The rate is null for a treatment without one. */
  | (Taxation & { readonly kind: 'one'; readonly treatment: Exclude<Treatment, 'not_applicable'> })
  /** Rows match, or an erratum supplies one; whether one of them applies is in their comments. */
  | {
      readonly kind: 'depends';
      /** Ascending, without repetition; 0 for a zero rate. */
      readonly rates: readonly string[];
      /** In their order, without repetition. */
      readonly treatments: readonly Treatment[];
    }
  /** Neither a row nor an erratum. It is not the standard rate: `uncoded` rows without a code may be about it. */
  | { readonly kind: 'none'; readonly uncoded: number };

/** The rows of a country that answer a question, and the errata that it is about. */
type CountryAnswer = {
  readonly rows: readonly MatchedRow[];
  readonly errata: readonly {
    readonly law: GoodsErratum['law'];
    /** Only whether TEDB has a row matters. */
    readonly source: object | null;
  }[];
};

/**
 * Whether the rows of a country leave open which rate applies (rule G5): they differ, one has a condition or covers only a
 * part of the code, or an erratum supplies a row. Null if no national row matches. Rows for imports are about another
 * supply.
 */
export function isAmbiguous({ rows, errata }: CountryAnswer): boolean | null {
  if (errata.some(({ source }) => source === null)) return true;
  const counted = rows.filter(({ scope }) => scope === null);
  if (counted.every(({ territory }) => territory !== null)) return null;
  const ofWhole = new Set(counted.filter(({ covers }) => covers !== 'part').map(printRate));
  return (
    new Set(counted.map(printRate)).size > 1 ||
    counted.some((row) => row.conditional || !ofWhole.has(printRate(row)))
  );
}

/** The verdict on a country: `uncoded` is the number of its rows without a code. */
export function judgeCountry(answer: CountryAnswer, uncoded: number): Verdict {
  const national = answer.rows.filter(isDomestic);
  const all: readonly Taxation[] = [...national, ...answer.errata.map(({ law }) => law)];
  const [first] = all;
  if (first === undefined) return { kind: 'none', uncoded };
  const { treatment, rate } = first;
  // A category that a country does not use is always a condition.
  if (isAmbiguous(answer) === false && treatment !== 'not_applicable') {
    return { kind: 'one', treatment, rate };
  }
  const rates = new Set(all.flatMap(({ rate }) => (rate === null ? [] : [rate])));
  const found = new Set(all.map(({ treatment }) => treatment));
  return {
    kind: 'depends',
    rates: [...rates].sort(compareDecimals),
    treatments: treatments.filter((one) => found.has(one)),
  };
}

/** Whether any country is ambiguous; null if no national row matches in any of them. */
export function joinAmbiguous(found: readonly (boolean | null)[]): boolean | null {
  if (found.includes(true)) return true;
  return found.includes(false) ? false : null;
}
