import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import { ApiError } from '../platform/http/api-errors.ts';
import type { PublishedSnapshots } from '../platform/http/published-snapshots.ts';
import { sendRepresentation } from '../platform/http/representation.ts';
import { addChargedRoute, type Charge, dateParameter } from '../platform/http/routes.ts';
import { addSnapshotRoutes } from '../platform/http/snapshot-routes.ts';
import type { IsoDate } from '../platform/time.ts';
import { type ChangeQuery, parseChangeQuery } from './change-query.ts';
import { printChanges } from './change-wire.ts';
import type { RateChange } from './diff.ts';
import { findNeighbours, listChanges, listChangesOf, listDates } from './store.ts';

const invalidParameter = {
  since: 'invalidSince',
  country: 'invalidCountry',
  limit: 'invalidLimit',
} as const;

/** Answers of `/changes` and `/changes/<date>` kept in memory. */
const rememberedMax = 500;

type Parts = {
  readonly db: Db;
  readonly published: PublishedSnapshots<IsoDate>;
  readonly charge: Charge;
};

/** `/rates`, `/rates/:date`, `/rates/dates`, `/changes` and `/changes/:date` (interface 4.1 to 4.3). */
export function addRatesRoutes(app: FastifyInstance, parts: Parts): void {
  addSnapshotRoutes(app, {
    ...parts,
    path: '/rates',
    operations: { latest: 'getLatestRates', dates: 'listRateDates', dated: 'getRates' },
    listDates: async (span) => listDates(parts.db, span),
    findNeighbours: async (date) => findNeighbours(parts.db, date),
    noneYet: 'noRatesYet',
    notFound: 'snapshotNotFound',
  });
  addChangeRoutes(app, parts);
}

function addChangeRoutes(app: FastifyInstance, { db, published, charge }: Parts): void {
  const remembered = published.createMemory(rememberedMax);

  addChargedRoute(app, '/changes', {
    operation: 'listChanges',
    charge,
    read: changeQuery,
    answer: async (query, request, reply) => {
      const key = `${query.since ?? ''} ${query.country ?? ''} ${query.limit}`;
      const list = await remembered.print(key, async () =>
        printChangeList(await listChanges(db, query), query),
      );
      return sendRepresentation(request, reply, list, 'changes');
    },
  });

  addChargedRoute(app, '/changes/:date', {
    operation: 'listChangesOfDate',
    charge,
    read: dateParameter,
    answer: async (date, request, reply) => {
      // Asked before the rows are read: a snapshot that is published in between must not make an answer
      // final that does not have its rows (contract C8).
      const { newestDate } = published;
      const policy = newestDate !== null && date <= newestDate ? 'immutable' : 'changes';
      const changes = await remembered.print(date, async () =>
        printDatedChanges(await listChangesOf(db, date), date),
      );
      return sendRepresentation(request, reply, changes, policy);
    },
  });
}

function changeQuery(request: FastifyRequest): ChangeQuery {
  const parsed = parseChangeQuery(request.query as Record<string, unknown>);
  if (parsed.kind === 'invalid') throw new ApiError(invalidParameter[parsed.parameter]);
  return parsed.query;
}

function printChangeList(changes: readonly RateChange[], query: ChangeQuery): string {
  return `{"changes":${printChanges(changes)},"count":${changes.length},"limit":${query.limit}}`;
}

function printDatedChanges(changes: readonly RateChange[], date: IsoDate): string {
  return `{"snapshotDate":"${date}","changes":${printChanges(changes)},"count":${changes.length}}`;
}
