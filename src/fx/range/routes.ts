import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { ConcurrencyLimit } from '../../platform/http/routes/concurrency-limit.ts';
import { addWithCsv } from '../../platform/http/routes/csv-routes.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { DataSetRouteParts } from '../../platform/publication/routes.ts';
import { readColumns } from './columns.ts';
import type { KnownCurrencies } from '../follow.ts';
import { getFxRange } from '../definitions.ts';
import { costOf, printRange, publishedExpected, rangeTable, selectRange } from './range.ts';
import type { CurrencyCode } from '../snapshot.ts';

/** The most ranges that are read at the same time: for one API key, and in all. */
const rangesUnderWay = { perKey: 2, inAll: 8 };

/** Adds `/fx/range` and `/fx/range.csv` (contract C36). */
export function addFxRangeRoute(
  parts: DataSetRouteParts & { readonly currencies: KnownCurrencies },
): void {
  const { db, published, currencies, cachedRoutes } = parts;
  addWithCsv(cachedRoutes, {
    ...readAs(getFxRange, (range) => {
      refuseUnpublished(range.currencies, currencies);
      return range;
    }),
    url: '/fx/range',
    cost: (range) => costOf(range, published.newestDate),
    limit: new ConcurrencyLimit(rangesUnderWay),
    find: async (range) => ({
      data: selectRange(await readColumns(db, range), range),
      policy: 'changes',
    }),
    toJson: (columns, range) => createRepresentation(printRange(columns, range)),
    toCsv: (columns, range) => ({
      name: `fx-range-${range.from}-${range.to}`,
      table: rangeTable(columns, range),
    }),
  });
}

function refuseUnpublished(currencies: readonly CurrencyCode[], known: KnownCurrencies): void {
  if (currencies.every((code) => known.has(code))) return;
  throw invalidField('currencies', publishedExpected);
}
