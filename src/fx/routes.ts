import { invalidField } from '../platform/http/responses/api-errors.ts';
import { ConcurrencyLimit } from '../platform/http/routes/concurrency-limit.ts';
import { closedDateSpan } from '../platform/http/routes/date-parameters.ts';
import type { RouteInput } from '../platform/http/routes/cached-routes.ts';
import { addWithCsv } from '../platform/http/routes/csv-routes.ts';
import { createRepresentation } from '../platform/http/responses/representation.ts';
import type { DataSetRouteParts } from '../platform/publication/routes.ts';
import { readColumns } from './columns.ts';
import { rangeTable } from './csv.ts';
import type { KnownCurrencies } from './follow.ts';
import {
  costOf,
  currenciesExpected,
  publishedExpected,
  type FxRange,
  parseCurrencies,
  printRange,
  selectRange,
} from './range.ts';

/** The most ranges that are read at the same time: for one API key, and in all. */
const rangesUnderWay = { perKey: 2, inAll: 8 };

/** Adds `/fx/range` and `/fx/range.csv` (contract C36). */
export function addFxRangeRoute(
  parts: DataSetRouteParts & { readonly currencies: KnownCurrencies },
): void {
  const { db, published, currencies, cachedRoutes } = parts;
  addWithCsv(cachedRoutes, {
    url: '/fx/range',
    operation: 'getFxRange',
    query: ['from', 'to', 'currencies'],
    read: (asked) => readRange(asked, currencies),
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

function readRange(asked: RouteInput, known: KnownCurrencies): FxRange {
  const span = closedDateSpan(asked);
  const currencies = parseCurrencies(asked.query['currencies']);
  if (currencies === undefined) throw invalidField('currencies', currenciesExpected);
  if (!currencies.every((code) => known.has(code))) {
    throw invalidField('currencies', publishedExpected);
  }
  return { ...span, currencies };
}
