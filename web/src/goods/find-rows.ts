import type { CategoryRow, CategoryRows, GoodsErratum } from '../wire.ts';
import type { CountryAnswer } from './country-answer.ts';
import { errataOfWords, listHolding } from './goods-errata.ts';
import { categoryText, findByWords, type Matches, type Search } from './search.ts';
import { judgeFound } from './verdict.ts';

export type Found = {
  readonly named: readonly CategoryRow[];
  /** How the words of the search match; undefined for any other search. */
  readonly matches: Matches<CategoryRow> | undefined;
  /** The other entries without codes, which may be about the goods as well; those with the words in their comment first. */
  readonly uncoded: readonly CategoryRow[];
  /** Entries whose comment has the words, but whose category has not. */
  readonly mentioned: readonly CategoryRow[];
};

/** Finds the entries of a search. The API has searched for codes and categories; words are searched for here. */
export function findRows(rows: readonly CategoryRow[], search: Search): Found {
  if (search.kind === 'cn' || search.kind === 'cpa') {
    const named = rows.filter(({ matched }) => matched !== null);
    const uncoded = rows.filter(({ matched }) => matched === null);
    return { named, matches: undefined, uncoded, mentioned: [] };
  }
  if (search.kind !== 'words') {
    return { named: rows, matches: undefined, uncoded: [], mentioned: [] };
  }
  const matches = findByWords(rows, search.words, categoryText);
  const named = new Set(matches.found);
  const inComment = findByWords(rows, search.words, wholeText);
  const mentioned = new Set(
    inComment.words === 'some' ? [] : inComment.found.filter((row) => !named.has(row)),
  );
  const uncoded = rows.filter((row) => isWithoutCodes(row) && !named.has(row));
  return {
    named: matches.found,
    matches,
    uncoded: uncoded.toSorted((a, b) => Number(mentioned.has(b)) - Number(mentioned.has(a))),
    mentioned: [...mentioned].filter((row) => !isWithoutCodes(row)),
  };
}

function wholeText(row: CategoryRow): string {
  return `${categoryText(row)} ${row.comment ?? ''}`;
}

/** Whether a national row has no codes, as the API counts them. */
function isWithoutCodes({ cn_codes, cpa_codes, territory }: CategoryRow): boolean {
  return cn_codes.length === 0 && cpa_codes.length === 0 && territory === null;
}

/** All entries that are shown. */
export function allOf({ named, uncoded, mentioned }: Found): readonly CategoryRow[] {
  return [...named, ...uncoded, ...mentioned];
}

/**
 * The answer of one country to a search.
 *
 * @param found - The entries of the country.
 * @param errata - All that hold on the day.
 * @param nameOf - The description of a category; '' if it is not known.
 */
export function answerOf(
  country: string,
  found: Found,
  of: {
    readonly answer: CategoryRows;
    readonly search: Search;
    readonly errata: readonly GoodsErratum[];
    readonly nameOf: (category: string) => string;
  },
): CountryAnswer {
  const { answer, search, nameOf } = of;
  const standard = answer.standard[country];
  const own = of.errata.filter((erratum) => erratum.country === country);
  const common = { country, search, rows: found.named, matches: found.matches, standard };
  if (search.kind === 'words') {
    const isMeant = found.matches?.words !== 'some';
    const categories = new Set(isMeant ? found.named.map(({ category }) => category) : []);
    const { words } = search;
    const meant = errataOfWords(own, answer.rows, { words, found: categories, nameOf });
    const verdict = judgeFound({
      rows: found.named,
      errata: meant.errata,
      standard: standard ?? null,
      uncoded: found.uncoded.length,
    });
    return { ...common, ...meant, verdict };
  }
  const isCode = search.kind === 'cn' || search.kind === 'cpa';
  const errata =
    search.kind === 'all'
      ? listHolding(own, answer.rows)
      : own.filter(({ id }) => answer.errata.includes(id));
  return { ...common, errata, isHeadline: isCode, verdict: answer.verdict[country] };
}
