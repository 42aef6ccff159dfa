import { printCsv } from '../../platform/csv/csv.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { publicResult } from '../../platform/http/responses/prepared-response.ts';
import {
  type CachePolicy,
  createRepresentation,
} from '../../platform/http/responses/representation.ts';
import { ConcurrencyLimit } from '../../platform/http/routes/concurrency-limit.ts';
import { csvType } from '../../platform/http/routes/csv-routes.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import {
  dateNotFound,
  type DataSetRouteParts,
  type LinkOf,
} from '../../platform/publication/routes.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { parseSnapshot } from '../snapshot.ts';
import { rateSnapshots } from '../store.ts';
import { exportVatRates, shopRoutes } from './definitions.ts';
import { shopFiles } from './shop-tables.ts';
import { printVatRatesList } from './vat-rates-list.ts';

/** The most lists of periods that are made at the same time: for one API key, and in all. */
const listsUnderWay = { perKey: 2, inAll: 4 };

/** Adds the VAT rates in the forms that shops and programs import: `/rates/export/…`. */
export function addExportRoutes(parts: DataSetRouteParts & { readonly linkOf: LinkOf }): void {
  const { cachedRoutes, db, published, linkOf } = parts;
  for (const { shop, toTable } of shopFiles) {
    cachedRoutes.add({
      ...readAs(shopRoutes[shop]),
      url: `/rates/export/${shop}.csv`,
      find: async ({ date }) => {
        const { body, policy } = await findBody(parts, date);
        const snapshot = parseSnapshot(body);
        const { version } = snapshot;
        const representation = createRepresentation(printCsv(toTable(snapshot)), csvType);
        return {
          ...publicResult(representation, policy, linkOf(version)),
          fileName: `${shop}-tax-rates-${version}.csv`,
        };
      },
    });
  }

  cachedRoutes.add({
    ...readAs(exportVatRates),
    url: '/rates/export/vat-rates.json',
    limit: new ConcurrencyLimit(listsUnderWay),
    find: async () => {
      const { newestDate } = published;
      if (newestDate === undefined) throw new ApiError('noRatesYet');
      return publicResult(createRepresentation(await printVatRatesList(db, newestDate)), 'latest');
    },
  });
}

/** The stored rates of a date, or the latest without one; throws the 404 if there are none. */
async function findBody(
  { db, published }: DataSetRouteParts,
  date: IsoDate | undefined,
): Promise<{ readonly body: string; readonly policy: CachePolicy }> {
  if (date === undefined) {
    const { latest } = published;
    if (latest === undefined) throw new ApiError('noRatesYet');
    return { body: latest.representation.body.toString(), policy: 'latest' };
  }
  const body = await published.findBody(date);
  if (body !== undefined) return { body, policy: 'immutable' };
  const nearest = await rateSnapshots.findNeighbours(db, date);
  throw dateNotFound('snapshotNotFound', { path: '/rates', suffix: '' }, nearest);
}
