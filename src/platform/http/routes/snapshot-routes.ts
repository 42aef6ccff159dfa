import type { FastifyInstance } from 'fastify';
import { andThen } from '../../maybe-async.ts';
import type { IsoDate } from '../../time.ts';
import { type Found, publicly } from '../responses/prepared-response.ts';
import { ApiError, type ApiErrorName } from '../responses/api-errors.ts';
import { type DateSpan, dateSpan } from './date-parameters.ts';
import type { Lookups } from './cached-routes.ts';
import type { PublishedSnapshots } from '../responses/published-snapshots.ts';
import { createRepresentation } from '../responses/representation.ts';
import { type Charge, dateNotFound, dateParameter, readNothing } from './routes.ts';

/**
 * Adds the routes of a data set: the latest snapshot, the one of a date (interface 4.1, 4.4), and the dates
 * that there are.
 */
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
    readonly lookups: Lookups;
    readonly published: PublishedSnapshots<IsoDate>;
    /** The dates that there are, the oldest first. */
    readonly listDates: (span: DateSpan) => Promise<readonly string[]>;
    /** The nearest dates that there are, for a date that there is not (contract C10). */
    readonly findNeighbours: (date: IsoDate) => Promise<Parameters<typeof dateNotFound>[2]>;
    readonly noneYet: ApiErrorName;
    readonly notFound: ApiErrorName;
  },
): void {
  const { path, operations, charge, lookups, published, listDates, findNeighbours } = parts;
  const { noneYet, notFound } = parts;

  lookups.add(app, charge, {
    url: path,
    operation: operations.latest,
    query: 'ignoresUnknown',
    read: readNothing,
    find: () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return publicly(latest.representation, 'latest');
    },
  });

  lookups.add(app, charge, {
    url: `${path}/dates`,
    operation: operations.dates,
    query: ['from', 'to'],
    read: dateSpan,
    find: async (span) => {
      const dates = await listDates(span);
      const text = JSON.stringify({ dates, count: dates.length });
      return publicly(createRepresentation(text), 'changes');
    },
  });

  const refuse = async (date: IsoDate): Promise<never> => {
    throw dateNotFound(notFound, path, await findNeighbours(date));
  };
  lookups.add(app, charge, {
    url: `${path}/:date`,
    operation: operations.dated,
    query: 'ignoresUnknown',
    read: dateParameter,
    find: (date) =>
      andThen(published.find(date), (found): Found | Promise<Found> =>
        found === undefined ? refuse(date) : publicly(found, 'immutable'),
      ),
  });
}
