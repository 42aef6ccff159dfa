import { ApiError } from '../platform/http/responses/api-errors.ts';
import type { RouteInput } from '../platform/http/routes/cached-routes.ts';
import { publicResult } from '../platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../platform/http/responses/representation.ts';
import { addWithCsv } from '../platform/http/routes/csv-routes.ts';
import { dateParameter } from '../platform/http/routes/date-parameters.ts';
import type { DataSetRouteParts } from '../platform/publication/routes.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { type ChangeQuery, parseChangeQuery } from './change-query.ts';
import { printChanges } from './change-wire.ts';
import { changesTable } from './csv.ts';
import type { RateChange } from './diff.ts';
import { listChanges, listChangesOf } from './store.ts';

const invalidParameter = {
  since: 'invalidSince',
  country: 'invalidCountry',
  limit: 'invalidLimit',
} as const;

/** Adds `/changes`, also with `.csv` (contract C36), and `/changes/:date` (interface 4.2, 4.3). */
export function addChangeRoutes({ db, published, cachedRoutes }: DataSetRouteParts): void {
  addWithCsv(cachedRoutes, {
    url: '/changes',
    operation: 'listChanges',
    query: 'ignoresUnknown',
    read: changeQuery,
    find: async (query) => ({ data: await listChanges(db, query), policy: 'changes' }),
    toJson: (changes, query) => createRepresentation(printChangeList(changes, query)),
    toCsv: (changes) => ({ name: 'changes', table: changesTable(changes) }),
  });

  cachedRoutes.add({
    url: '/changes/:date',
    operation: 'listChangesOfDate',
    query: 'ignoresUnknown',
    read: dateParameter,
    find: async (date) => {
      // Read before the rows: a snapshot that is published in between must not make an answer final that lacks
      // its rows (contract C8).
      const { newestDate } = published;
      const policy = newestDate !== undefined && date <= newestDate ? 'immutable' : 'changes';
      const changes = await listChangesOf(db, date);
      return publicResult(createRepresentation(printDatedChanges(changes, date)), policy);
    },
  });
}

function changeQuery({ query }: RouteInput): ChangeQuery {
  const parsed = parseChangeQuery(query);
  if (parsed.kind === 'invalid') throw new ApiError(invalidParameter[parsed.parameter]);
  return parsed.query;
}

function printChangeList(changes: readonly RateChange[], query: ChangeQuery): string {
  return `{"changes":${printChanges(changes)},"count":${changes.length},"limit":${query.limit}}`;
}

function printDatedChanges(changes: readonly RateChange[], date: IsoDate): string {
  return `{"snapshotDate":"${date}","changes":${printChanges(changes)},"count":${changes.length}}`;
}
