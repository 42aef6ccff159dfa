import type { FastifyInstance } from 'fastify';
import type { IsoDate } from '../time.ts';
import { ApiError, type ApiErrorName } from './api-errors.ts';
import { type DateSpan, dateSpan } from './date-span.ts';
import type { PublishedSnapshots } from './published-snapshots.ts';
import { sendRepresentation } from './representation.ts';
import {
  addChargedRoute,
  type Charge,
  dateNotFound,
  dateParameter,
  readNothing,
} from './routes.ts';

/** Lists of dates kept in memory, for each data set. */
const rememberedMax = 50;

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
    readonly published: PublishedSnapshots<IsoDate>;
    /** The dates that there are, the oldest first. */
    readonly listDates: (span: DateSpan) => Promise<readonly string[]>;
    /** The nearest dates that there are, for a date that there is not (contract C10). */
    readonly findNeighbours: (date: IsoDate) => Promise<Parameters<typeof dateNotFound>[2]>;
    readonly noneYet: ApiErrorName;
    readonly notFound: ApiErrorName;
  },
): void {
  const { path, operations, charge, published, listDates, findNeighbours } = parts;
  const { noneYet, notFound } = parts;

  addChargedRoute(app, path, {
    operation: operations.latest,
    charge,
    read: readNothing,
    answer: (_, request, reply) => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return sendRepresentation(request, reply, latest.representation, 'latest');
    },
  });

  const remembered = published.createMemory(rememberedMax);
  addChargedRoute(app, `${path}/dates`, {
    operation: operations.dates,
    charge,
    read: dateSpan,
    answer: async (span, request, reply) => {
      const list = await remembered.print(`${span.from} ${span.to}`, async () => {
        const dates = await listDates(span);
        return JSON.stringify({ dates, count: dates.length });
      });
      return sendRepresentation(request, reply, list, 'changes');
    },
  });

  addChargedRoute(app, `${path}/:date`, {
    operation: operations.dated,
    charge,
    read: dateParameter,
    answer: async (date, request, reply) => {
      const snapshot = await published.find(date);
      if (snapshot === undefined) throw dateNotFound(notFound, path, await findNeighbours(date));
      return sendRepresentation(request, reply, snapshot, 'immutable');
    },
  });
}
