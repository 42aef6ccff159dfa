import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { CachedRoutes, RouteInput } from '../../platform/http/routes/cached-routes.ts';
import { addWithCsv, type PathSuffix } from '../../platform/http/routes/csv-routes.ts';
import { readDate } from '../../platform/http/routes/date-parameters.ts';
import { readParameter } from '../../platform/http/routes/query-parameters.ts';
import { parseTwoLetters } from '../read-member-state.ts';
import { goodsErrataTable, nationalErrataTable, toWire, toWireGoods } from './errata-wire.ts';
import { type ErrataQuery, type KnownErratum, listKinds, type ListKind } from './erratum.ts';
import type { KnownGoodsErratum } from './goods-erratum.ts';
import type { KnownErrata } from './known-errata.ts';

/** The expectation in the 400 for another `kind`, and for `all` as CSV. */
export const expectedKind = 'national, goods, or all (JSON only)';

type ErrataRequest = ErrataQuery & { readonly kind: ListKind };

/** The errata that a request is for; none of a kind that it does not ask for. */
type Found = {
  readonly national: readonly KnownErratum[];
  readonly goods: readonly KnownGoodsErratum[];
};

/** Adds `/rates/errata`, the known errors of TEDB, and the same with `.csv` (rules X1, X7). */
export function addErrataRoutes(cachedRoutes: CachedRoutes, errata: KnownErrata): void {
  addWithCsv(cachedRoutes, {
    url: '/rates/errata',
    operation: 'listErrata',
    query: ['country', 'date', 'kind'],
    read: readRequest,
    find: (request, suffix) => ({ data: find(errata, request, suffix), policy: 'latest' }),
    toJson: ({ national, goods }) => {
      const list = [...national.map(toWire), ...goods.map(toWireGoods)];
      return createRepresentation(JSON.stringify({ errata: list, count: list.length }));
    },
    toCsv: ({ national, goods }, { kind }) =>
      kind === 'goods'
        ? { name: 'rates-errata-goods', table: goodsErrataTable(goods) }
        : { name: 'rates-errata', table: nationalErrataTable(national) },
  });
}

function readRequest({ query }: RouteInput): ErrataRequest {
  const country = readParameter(query, 'country', parseTwoLetters, '2-letter ISO code');
  const parse = (text: string) => listKinds.find((one) => one === text);
  const kind = readParameter(query, 'kind', parse, expectedKind) ?? 'national';
  return { country, date: readDate(query, 'date'), kind };
}

function find(errata: KnownErrata, { kind, ...query }: ErrataRequest, suffix: PathSuffix): Found {
  // The two kinds have other columns.
  if (kind === 'all' && suffix === '.csv') throw invalidField('kind', expectedKind);
  return {
    national: kind === 'goods' ? [] : errata.findNational(query),
    goods: kind === 'national' ? [] : errata.findGoods(query),
  };
}
