import { memberStates } from '../countries.ts';
import { type Load, useLoad } from '../session/load.ts';
import type { ErrataOf } from '../rates/errata.ts';
import type { CategoryList, CategoryRows, GoodsErratum, RateDates } from '../wire.ts';
import { fetchAllRows } from './all-rows.ts';
import { type GoodsParams, readGoodsParams, rowsPathOf } from './goods-query.ts';
import { categoryText, findByWords, readSearch, type Search } from './search.ts';

/** The question in the address, and the requests that answer it. */
export type Goods = {
  readonly params: GoodsParams;
  readonly search: Search;
  readonly list: Load<CategoryList>;
  readonly stored: Load<RateDates>;
  /** The stored dates since the oldest one with rows, oldest first. */
  readonly dates: readonly string[];
  /** Undefined if the question has no rows but a choice of categories. */
  readonly path: string | undefined;
  readonly shown: Load<CategoryRows>;
  readonly otherPath: string | undefined;
  readonly other: Load<CategoryRows>;
  /** The path of the known errors of TEDB in goods; undefined if the rows that are shown need none. */
  readonly errataPath: string | undefined;
  readonly errata: Load<ErrataOf<GoodsErratum>>;
  /** The rows that are shown; in a comparison the later ones. */
  readonly later: CategoryRows | undefined;
  /** Undefined without a comparison. */
  readonly earlier: CategoryRows | undefined;
  /** The path of the rows that are shown, for a file. */
  readonly filePath: string | undefined;
};

export function useGoods(address: URLSearchParams): Goods {
  const wanted = readGoodsParams(address);
  const isKnown = memberStates[wanted.country] !== undefined;
  const params = isKnown ? wanted : { ...wanted, country: '' };
  const list = useLoad<CategoryList>('/rates/categories/list');
  const stored = useLoad<RateDates>('/rates/dates');
  const identifiers = list.data?.categories.map(({ category }) => category);
  const search = narrow(readSearch(params.text, identifiers), params, list.data);
  const pathOn = (date: string | undefined): string | undefined => rowsPathOf(params, search, date);
  const path = pathOn(params.date);
  const otherPath = params.otherDate === undefined ? undefined : pathOn(params.otherDate);
  const shown = useLoad<CategoryRows>(path, fetchAllRows);
  const other = useLoad<CategoryRows>(otherPath, fetchAllRows);
  const [rows, compared] = [shown.data, other.data];
  // A comparison shows the later rows. The visitor may choose the two dates in any order.
  const isComparedLater =
    rows !== undefined && compared !== undefined && compared.version > rows.version;
  const [earlier, later] = isComparedLater ? [rows, compared] : [compared, rows];
  const filePath = later === undefined ? undefined : pathOn(later.version);
  const dates = datesOf(stored.data);
  const errataPath = later === undefined ? undefined : errataPathOf(params, search, later);
  const errata = useLoad<ErrataOf<GoodsErratum>>(errataPath);
  const requests = { list, stored, path, shown, otherPath, other, errataPath, errata };
  return { params, search, dates, ...requests, later, earlier, filePath };
}

/** The API names the errata of a code or category; words may be about any of the country. */
function errataPathOf(
  { country }: GoodsParams,
  { kind }: Search,
  { version, errata }: CategoryRows,
): string | undefined {
  if (errata.length === 0 && kind !== 'words' && kind !== 'all') return undefined;
  return `/rates/errata?kind=goods&date=${version}${country === '' ? '' : `&country=${country}`}`;
}

/** For all countries, words that only one category has are a search for that category. */
function narrow(search: Search, { country }: GoodsParams, list: CategoryList | undefined): Search {
  if (country !== '' || search.kind !== 'words' || list === undefined) return search;
  const { found, words } = findByWords(list.categories, search.words, categoryText);
  const [first] = found;
  return first === undefined || words !== 'all' || found.length > 1
    ? search
    : { kind: 'category', category: first.category };
}

function datesOf(stored: RateDates | undefined): readonly string[] {
  const from = stored?.categoriesFrom ?? undefined;
  if (stored === undefined || from === undefined) return [];
  return stored.dates.filter((date) => date >= from);
}
