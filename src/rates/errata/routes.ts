import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { CachedRoutes } from '../../platform/http/routes/cached-routes.ts';
import { addWithCsv } from '../../platform/http/routes/csv-routes.ts';
import { printAnswer } from '../../platform/http/routes/define-route.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { goodsErrataTable, nationalErrataTable } from './csv.ts';
import { type ErrataRequest, expectedKind, listErrata } from './definitions.ts';
import { asListed, asListedGoods } from './errata-wire.ts';
import type { KnownErratum } from './erratum.ts';
import type { KnownGoodsErratum } from './goods-erratum.ts';
import type { KnownErrata } from './known-errata.ts';

/** The errata that a request is for; none of a kind that it does not ask for. */
type Found = {
  readonly national: readonly KnownErratum[];
  readonly goods: readonly KnownGoodsErratum[];
};

/** Adds `/rates/errata`, the known errors of TEDB, and the same with `.csv` (rules X1, X7). */
export function addErrataRoutes(cachedRoutes: CachedRoutes, errata: KnownErrata): void {
  addWithCsv(cachedRoutes, {
    ...readAs(listErrata),
    url: '/rates/errata',
    find: (request) => ({ data: find(errata, request), policy: 'latest' }),
    // The two kinds have other columns.
    refuseAsCsv: ({ kind }) => {
      if (kind === 'all') throw invalidField('kind', expectedKind);
    },
    toJson: ({ national, goods }) => {
      const errata = [...national.map(asListed), ...goods.map(asListedGoods)];
      return createRepresentation(printAnswer(listErrata, { errata, count: errata.length }));
    },
    toCsv: ({ national, goods }, { kind }) =>
      kind === 'goods'
        ? { name: 'rates-errata-goods', table: goodsErrataTable(goods) }
        : { name: 'rates-errata', table: nationalErrataTable(national) },
  });
}

function find(errata: KnownErrata, { kind, ...query }: ErrataRequest): Found {
  return {
    national: kind === 'goods' ? [] : errata.findNational(query),
    goods: kind === 'national' ? [] : errata.findGoods(query),
  };
}
