import { isReported } from '../../../src/rates/errata/erratum-rows.ts';
import type { CategoryRow, GoodsErratum } from '../wire.ts';
import { categoryText, findByWords, type Word } from './search.ts';
import { toStored, withText } from './verdict.ts';

/** Known errors of TEDB that an answer is about. */
type AnswerErrata = {
  readonly errata: readonly GoodsErratum[];
  /** Whether they are about what was searched itself, so that they are the headline; else about its category. */
  readonly isHeadline: boolean;
};

/**
 * The errata that a search by words is about: those that name the words as their condition, otherwise those of the found
 * categories and those whose category has the words.
 *
 * @param rows - All rows of the country.
 * @param nameOf - The description of a category; '' if it is not known.
 */
export function errataOfWords(
  errata: readonly GoodsErratum[],
  rows: readonly CategoryRow[],
  search: {
    readonly words: readonly Word[];
    readonly found: ReadonlySet<string>;
    readonly nameOf: (category: string) => string;
  },
): AnswerErrata {
  const { words, found, nameOf } = search;
  const holding = listHolding(errata, rows);
  const named = findByWords(holding, words, ({ condition }) => condition ?? '');
  if (named.words !== 'some' && named.found.length > 0)
    return { errata: named.found, isHeadline: true };
  const textOf = ({ category }: GoodsErratum): string =>
    categoryText({ category, description: nameOf(category) });
  const ofCategory = findByWords(holding, words, textOf);
  const others = new Set(ofCategory.words === 'some' ? [] : ofCategory.found);
  return {
    errata: holding.filter((erratum) => found.has(erratum.category) || others.has(erratum)),
    isHeadline: false,
  };
}

/** The errata that the rows of their country still have, by the rule of the API for codes and categories (rule X7). */
export function listHolding(
  errata: readonly GoodsErratum[],
  rows: readonly CategoryRow[],
): readonly GoodsErratum[] {
  const stored = rows.map(toStored);
  return errata.filter((erratum) => {
    const { source, law } = erratum;
    const taxations = { source: source === null ? null : withText(source), law: withText(law) };
    return isReported({ ...erratum, ...taxations }, stored);
  });
}
