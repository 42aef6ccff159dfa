import type { CategoryRow, GoodsErratum, RateVerdict } from '../wire.ts';
import { erratumInWords, verdictInWords } from './verdict-words.ts';
import { missingInWords } from './goods-words.ts';
import type { Matches, Search } from './search.ts';

/** What TEDB and the law say about a search in one country. */
export type CountryAnswer = {
  readonly country: string;
  readonly search: Search;
  /** The entries that match the search. */
  readonly rows: readonly CategoryRow[];
  /** How the entries match words; undefined for any other search. */
  readonly matches: Matches<CategoryRow> | undefined;
  /** Undefined for a list of all goods. */
  readonly verdict: RateVerdict | undefined;
  /** The known errors of TEDB that the search is about. */
  readonly errata: readonly GoodsErratum[];
  /** Whether the errata are about what was searched itself, not only about its category. */
  readonly isHeadline: boolean;
  readonly standard: number | undefined;
};

/** Whether the entries are about one thing, so that they have a verdict together. */
export function isAnswer({ matches, rows, verdict }: CountryAnswer): boolean {
  if (verdict === undefined) return false;
  if (matches === undefined || rows.length === 0) return true;
  return matches.words !== 'some' && new Set(rows.map(({ category }) => category)).size === 1;
}

/** The errata that make the headline: those that are meant, and those that supply what no entry has. */
export function headlineErrata(answer: CountryAnswer): readonly GoodsErratum[] {
  const { rows, errata, isHeadline, verdict } = answer;
  return isHeadline || (rows.length === 0 && verdict?.kind === 'depends') ? errata : [];
}

/** The headline (rule G5a): the known error of TEDB, the verdict, or which categories could be meant. */
export function titleOf(answer: CountryAnswer): string {
  const { country, rows, matches, verdict } = answer;
  const [erratum] = headlineErrata(answer);
  if (erratum !== undefined) return erratumInWords(erratum);
  if (verdict !== undefined && isAnswer(answer)) return verdictInWords(verdict, country);
  switch (matches?.words) {
    case undefined:
      return 'TEDB has no entry';
    case 'some':
      return missingInWords(matches?.missing ?? []);
    case 'related':
      return 'Did you mean one of these?';
    case 'all':
      return `${new Set(rows.map(({ category }) => category)).size} categories have these words`;
  }
}
