import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import { ApiError } from '../platform/http/api-errors.ts';
import type { PublishedSnapshots } from '../platform/http/published-snapshots.ts';
import { sendRepresentation } from '../platform/http/representation.ts';
import {
  addChargedRoute,
  type Charge,
  dateNotFound,
  dateParameter,
  readNothing,
} from '../platform/http/routes.ts';
import type { IsoDate } from '../platform/time.ts';
import { findNeighbours } from './store.ts';

/** `/fx` and `/fx/:date` (interface 4.4). */
export function addFxRoutes(
  app: FastifyInstance,
  parts: {
    readonly db: Db;
    readonly published: PublishedSnapshots<IsoDate>;
    readonly charge: Charge;
  },
): void {
  const { db, published, charge } = parts;

  addChargedRoute(app, '/fx', {
    charge,
    read: readNothing,
    answer: (_, request, reply) => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError('noFxYet');
      return sendRepresentation(request, reply, latest.representation, 'latest');
    },
  });

  addChargedRoute(app, '/fx/:date', {
    charge,
    read: dateParameter,
    answer: async (date, request, reply) => {
      const snapshot = await published.find(date);
      if (snapshot === undefined) {
        throw dateNotFound('fxSnapshotNotFound', '/fx', await findNeighbours(db, date));
      }
      return sendRepresentation(request, reply, snapshot, 'immutable');
    },
  });
}
