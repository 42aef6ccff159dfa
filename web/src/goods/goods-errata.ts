import { matchCodes } from '../../../src/rates/categories/match-codes.ts';
import type { CategoryRow, GoodsErratum } from '../wire.ts';
import { categoryText, findByWords, type Word } from './search.ts';

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
  const holding = errata.filter((erratum) => holdsFor(erratum, rows));
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

/**
 * Whether the rows of a country still have the error, as the API judges for codes and categories (rule X7): a row has what
 * TEDB reports, or none has what the law says.
 */
export function holdsFor(erratum: GoodsErratum, rows: readonly CategoryRow[]): boolean {
  const { category, source, law, commentBegins } = erratum;
  if (source === null) return !rows.some((row) => hasTaxation(row, law, erratum));
  return rows.some(
    (row) =>
      row.category === category &&
      hasTaxation(row, source, erratum) &&
      (row.comment ?? '').startsWith(commentBegins ?? ''),
  );
}

/** Whether a national row for domestic supplies has this taxation for codes of the erratum. */
function hasTaxation(
  row: CategoryRow,
  { treatment, rate }: GoodsErratum['law'],
  { codeKind, codes }: GoodsErratum,
): boolean {
  const own = codeKind === 'cn' ? row.cn_codes : row.cpa_codes;
  return (
    row.territory === null &&
    row.scope === null &&
    row.treatment === treatment &&
    row.rate === rate &&
    codes.some((code) => matchCodes(own, code) !== undefined)
  );
}
