import type { FastifyInstance } from 'fastify';
import { andThen } from '../../maybe-async.ts';
import type { IsoDate } from '../../time.ts';
import { ApiError, type ApiErrorName } from '../responses/api-errors.ts';
import { publicResult, type RouteResult } from '../responses/prepared-response.ts';
import type { PublishedSnapshots } from '../responses/published-snapshots.ts';
import { createRepresentation } from '../responses/representation.ts';
import type { CachedRoutes } from './cached-routes.ts';
import { dateParameter, type DateSpan, dateSpan } from './date-parameters.ts';
import { type Charge, readNothing } from './routes.ts';

/** The nearest dates that have a snapshot, around one that has none. */
type Neighbours = { readonly previous: string | undefined; readonly next: string | undefined };

/** Adds the routes of a data set: the latest snapshot, one by date (interface 4.1, 4.4), and the list of dates. */
export function addSnapshotRoutes(
  app: FastifyInstance,
  parts: {
    readonly path: '/rates' | '/fx';
    /** Ids of the operations in the reference. */
    readonly operations: {
      readonly latest: string;
      readonly dates: string;
      readonly dated: string;
    };
    readonly charge: Charge;
    readonly cachedRoutes: CachedRoutes;
    readonly published: PublishedSnapshots<IsoDate>;
    /** The dates of all snapshots, ascending. */
    readonly listDates: (span: DateSpan) => Promise<readonly string[]>;
    readonly findNeighbours: (date: IsoDate) => Promise<Neighbours>;
    readonly noneYet: ApiErrorName;
    readonly notFound: ApiErrorName;
  },
): void {
  const { path, operations, charge, cachedRoutes, published, listDates, findNeighbours } = parts;
  const { noneYet, notFound } = parts;

  cachedRoutes.add(app, charge, {
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

  cachedRoutes.add(app, charge, {
    url: `${path}/dates`,
    operation: operations.dates,
    query: ['from', 'to'],
    read: dateSpan,
    find: async (span) => {
      const dates = await listDates(span);
      const text = JSON.stringify({ dates, count: dates.length });
      return publicResult(createRepresentation(text), 'changes');
    },
  });

  const refuse = async (date: IsoDate): Promise<never> => {
    throw dateNotFound(notFound, path, await findNeighbours(date));
  };
  cachedRoutes.add(app, charge, {
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
