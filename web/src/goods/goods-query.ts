import type { Search } from './search.ts';

/** The parameters of the view in the address. */
export type GoodsParams = {
  /** '' for all countries. */
  readonly country: string;
  /** As the visitor wrote it. */
  readonly text: string;
  readonly date: string | undefined;
  readonly otherDate: string | undefined;
  /** Whether rows that are only for a territory are shown as well (rule G7). */
  readonly withTerritories: boolean;
};

export function readGoodsParams(params: URLSearchParams): GoodsParams {
  return {
    country: params.get('country') ?? '',
    text: params.get('q') ?? '',
    date: params.get('date') ?? undefined,
    otherDate: params.get('with') ?? undefined,
    withTerritories: params.get('territories') === 'include',
  };
}

/**
 * The path of the rows that a search needs; undefined if it needs none: the words are then compared with the list of
 * categories, because the API has no rows of all countries and categories together.
 */
export function rowsPathOf(
  { country, withTerritories }: Pick<GoodsParams, 'country' | 'withTerritories'>,
  search: Search,
  date: string | undefined,
): string | undefined {
  const query = new URLSearchParams();
  if (country !== '') query.set('country', country);
  if (search.kind === 'cn' || search.kind === 'cpa') query.set(search.kind, search.code);
  if (search.kind === 'category') query.set('category', search.category);
  if (search.kind === 'fault' || query.size === 0) return undefined;
  if (withTerritories) query.set('territories', 'include');
  // Entries without codes can be about the goods as well. For all countries their numbers and rates are enough.
  if (country !== '' && (query.has('cn') || query.has('cpa'))) query.set('uncoded', 'include');
  const day = date === undefined ? '' : `/${encodeURIComponent(date)}`;
  return `/rates${day}/categories?${query.toString()}`;
}
