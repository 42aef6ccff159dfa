import type { FastifyInstance } from 'fastify';
import type { IsoDate } from '../time.ts';
import { ApiError, type ApiErrorName } from './api-errors.ts';
import type { PublishedSnapshots } from './published-snapshots.ts';
import { sendRepresentation } from './representation.ts';
import {
  addChargedRoute,
  type Charge,
  dateNotFound,
  dateParameter,
  readNothing,
} from './routes.ts';

/** Adds the two routes of a data set: the latest snapshot, and the one of a date (interface 4.1, 4.4). */
export function addSnapshotRoutes(
  app: FastifyInstance,
  parts: {
    readonly path: '/rates' | '/fx';
    readonly charge: Charge;
    readonly published: PublishedSnapshots<IsoDate>;
    /** The nearest dates that there are, for a date that there is not (contract C10). */
    readonly findNeighbours: (date: IsoDate) => Promise<Parameters<typeof dateNotFound>[2]>;
    readonly noneYet: ApiErrorName;
    readonly notFound: ApiErrorName;
  },
): void {
  const { path, charge, published, findNeighbours, noneYet, notFound } = parts;

  addChargedRoute(app, path, {
    charge,
    read: readNothing,
    answer: (_, request, reply) => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return sendRepresentation(request, reply, latest.representation, 'latest');
    },
  });

  addChargedRoute(app, `${path}/:date`, {
    charge,
    read: dateParameter,
    answer: async (date, request, reply) => {
      const snapshot = await published.find(date);
      if (snapshot === undefined) throw dateNotFound(notFound, path, await findNeighbours(date));
      return sendRepresentation(request, reply, snapshot, 'immutable');
    },
  });
}
