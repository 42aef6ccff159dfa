import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import type { PublishedSnapshots } from '../platform/http/published-snapshots.ts';
import type { Charge } from '../platform/http/routes.ts';
import { addSnapshotRoutes } from '../platform/http/snapshot-routes.ts';
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
  addSnapshotRoutes(app, {
    ...parts,
    path: '/fx',
    findNeighbours: async (date) => findNeighbours(parts.db, date),
    noneYet: 'noFxYet',
    notFound: 'fxSnapshotNotFound',
  });
}
