import type { Db } from '../database/database.ts';
import { ApiError, type ApiErrorName } from '../http/responses/api-errors.ts';
import { publicResult, type RouteResult } from '../http/responses/prepared-response.ts';
import type { PublishedSnapshots } from '../http/responses/published-snapshots.ts';
import { createRepresentation } from '../http/responses/representation.ts';
import type { CachedRoutes } from '../http/routes/cached-routes.ts';
import { dateParameter, dateSpan } from '../http/routes/date-parameters.ts';
import { readNothing } from '../http/routes/routes.ts';
import { andThen } from '../maybe-async.ts';
import type { IsoDate } from '../time.ts';
import type { DataSet } from './data-set.ts';
import type { Neighbours } from './snapshot-table.ts';

/** The parts that the routes of every data set need. */
export type DataSetRouteParts = {
  readonly db: Db;
  readonly cachedRoutes: CachedRoutes;
  readonly published: PublishedSnapshots;
};

/** Adds the routes of a data set: the latest snapshot, one by date (interface 4.1, 4.4), and the list of dates. */
export function addSnapshotRoutes(
  { api, snapshots }: DataSet,
  { db, cachedRoutes, published }: DataSetRouteParts,
): void {
  const { path, operations, noneYet, notFound } = api;

  cachedRoutes.add({
    url: path,
    operation: operations.latest,
    query: 'ignoresUnknown',
    read: readNothing,
    find: () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return publicResult(latest.representation, 'latest');
    },
  });

  cachedRoutes.add({
    url: `${path}/dates`,
    operation: operations.dates,
    query: ['from', 'to'],
    read: dateSpan,
    find: async (span) => {
      const dates = await snapshots.listDates(db, span);
      const text = JSON.stringify({ dates, count: dates.length });
      return publicResult(createRepresentation(text), 'changes');
    },
  });

  const refuse = async (date: IsoDate): Promise<never> => {
    throw dateNotFound(notFound, path, await snapshots.findNeighbours(db, date));
  };
  cachedRoutes.add({
    url: `${path}/:date`,
    operation: operations.dated,
    query: 'ignoresUnknown',
    read: dateParameter,
    find: (date) =>
      andThen(published.find(date), (found): RouteResult | Promise<RouteResult> =>
        found === undefined ? refuse(date) : publicResult(found, 'immutable'),
      ),
  });
}

/** A 404 for a date, with links to the nearest dates that have a snapshot (contract C10). */
function dateNotFound(code: ApiErrorName, path: string, { previous, next }: Neighbours): ApiError {
  const links = [
    previous === undefined ? [] : `<${path}/${previous}>; rel="prev"`,
    next === undefined ? [] : `<${path}/${next}>; rel="next"`,
  ].flat();
  return new ApiError(code, links.length === 0 ? {} : { link: links.join(', ') });
}
