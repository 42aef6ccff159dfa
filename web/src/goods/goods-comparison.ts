import {
  type CategoryChange as StoredChange,
  diffCategories,
} from '../../../src/rates/categories/category-changes.ts';
import type {
  CategoryRow as StoredRow,
  CountryRows,
} from '../../../src/rates/categories/category-row.ts';
import { countryName } from '../countries.ts';
import type { CategoryChange, ChangedRow } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';
import { commentOf, printCn, rateInWords } from './goods-words.ts';
import { toStored } from './verdict.ts';

/** More codes are counted instead of listed. */
const codesMax = 6;

/** A category of a country that differs between two dates. */
export type GoodsDifference = {
  readonly country: string;
  readonly category: string;
  readonly description: string;
  /** “now 9 %, was 6 %”. */
  readonly move: string;
  /** The conditions of the rates that it names: of the later rows, or of the earlier ones if there are none. */
  readonly comments: readonly string[];
};

/** The categories whose rates, treatments or codes differ, as the event `categories.changed` has them (rule G9). */
export function compareGoods(
  earlier: readonly ChangedRow[],
  later: readonly ChangedRow[],
): readonly GoodsDifference[] {
  return diffCategories(groupRows(earlier), groupRows(later))
    .map(describe)
    .toSorted((a, b) => countryName(a.country).localeCompare(countryName(b.country), 'en'));
}

/** Says what changed in a category. */
export function describeGoodsChange(change: CategoryChange): GoodsDifference {
  const { before, after } = change;
  return describe({ ...change, before: before.map(toStored), after: after.map(toStored) });
}

function describe(change: StoredChange): GoodsDifference {
  const { country, category, before, after } = change;
  const rows = after.length === 0 ? before : after;
  const description = rows[0]?.description ?? category;
  return { country, category, description, move: describeMove(change), comments: commentsOf(rows) };
}

/** “6 %: Maps included”; once for each rate and comment. */
function commentsOf(rows: readonly StoredRow[]): readonly string[] {
  const comments = rows.flatMap((row) => {
    const comment = commentOf(row);
    return comment === undefined ? [] : [`${rateOf(row)}: ${comment}`];
  });
  return [...new Set(comments)];
}

function groupRows(rows: readonly ChangedRow[]): readonly CountryRows[] {
  const countries = Map.groupBy(rows, ({ country }) => country);
  return [...countries].map(([country, own]) => ({
    country: country as CountryRows['country'],
    rows: own.map(toStored),
  }));
}

function describeMove({ before, after }: StoredChange): string {
  const [was, is] = [ratesOf(before), ratesOf(after)];
  if (before.length === 0) return `new: ${listInWords(is)}`;
  if (after.length === 0) return `no longer reported, was ${listInWords(was)}`;
  const [gone, come, kept] = [
    without(was, is),
    without(is, was),
    is.filter((rate) => was.includes(rate)),
  ];
  const asBefore = kept.length === 0 ? '' : `; ${listInWords(kept)} as before`;
  if (gone.length > 0 && come.length > 0)
    return `now ${listInWords(come)}, was ${listInWords(gone)}${asBefore}`;
  if (come.length > 0) return `now also ${listInWords(come)}${asBefore}`;
  if (gone.length > 0) return `no longer ${listInWords(gone)}${asBefore}`;
  const [old, now] = [codesOf(before), codesOf(after)];
  const moves = [
    describeCodes('added', without(now, old)),
    describeCodes('removed', without(old, now)),
  ].filter((text) => text !== '');
  return moves.length === 0
    ? `${listInWords(is)} as before, for other codes or another territory`
    : `${listInWords(is)} as before; ${moves.join(', ')}`;
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The different rates, ascending. */
function ratesOf(rows: readonly StoredRow[]): readonly string[] {
  return [...new Set(rows.map(rateOf))].toSorted(byNumber);
}

function rateOf({ treatment, rate }: StoredRow): string {
  return rateInWords({ treatment, rate: rate === null ? null : Number(rate) });
}

function codesOf(rows: readonly StoredRow[]): readonly string[] {
  const codes = new Set(
    rows.flatMap(({ cnCodes, cpaCodes }) => [
      ...cnCodes.map((code) => `CN ${printCn(code)}`),
      ...cpaCodes.map((code) => `CPA ${code}`),
    ]),
  );
  return [...codes];
}

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  return texts.filter((text) => !others.includes(text));
}

function describeCodes(move: string, codes: readonly string[]): string {
  if (codes.length === 0) return '';
  return codes.length > codesMax
    ? `${countInWords(codes.length, 'code')} ${move}`
    : `${codes.join(', ')} ${move}`;
}
