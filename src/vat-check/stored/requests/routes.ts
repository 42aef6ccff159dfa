import type { FastifyInstance, FastifyRequest } from 'fastify';
import { printSpreadsheet } from '../../../platform/csv/csv.ts';
import type { Db } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { quotaOnly } from '../../../platform/http/request-cost.ts';
import { csvType } from '../../../platform/http/routes/csv-routes.ts';
import { asCsv } from '../../../platform/http/routes/define-route.ts';
import { readAs, type ReadBy } from '../../../platform/http/routes/read-request.ts';
import { addRoutes, type Charge, keyIdOf } from '../../../platform/http/routes/routes.ts';
import type { Clock } from '../../../platform/time/time.ts';
import { listChecks } from './check-list.ts';
import { checkId, checkRoute, defaultsOf, type ServiceDefaults } from './check-route.ts';
import { toCheckTable } from './check-table.ts';
import { toCheckRequest } from './check-request.ts';
import * as definitions from './definitions.ts';
import type { StoredChecks } from '../create-stored-checks.ts';
import type { WantedCheck } from '../create-check.ts';
import { deleteCheck, type OnDeleted } from '../delete-checks.ts';
import { digestBody } from './idempotency-key.ts';
import { type ListQuery, toListQuery } from './list-query.ts';
import { printCheck } from '../print-check.ts';
import type { StoredCheck } from '../stored-check.ts';

type RouteParts = {
  readonly db: Db;
  readonly charge: Charge;
  readonly clock: Clock;
  /** Deletes the events about a deleted check. */
  readonly onDeleted: OnDeleted;
  /** REQUESTERS, and the registries of the service. */
  readonly service: ServiceDefaults;
  readonly storedChecks: Pick<StoredChecks, 'create' | 'find'>;
};

/** Adds the routes of stored checks (rules K4 to K6 and K11). A check belongs to the key that created it. */
export function addStoredCheckRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { db, charge, clock, onDeleted, storedChecks } = parts;
  const list = async ({ filter, page }: ListQuery, request: FastifyRequest) =>
    listChecks(db, keyIdOf(request), filter, page);
  addRoutes(app, '/vatchecks', {
    GET: checkRoute(charge, {
      ...readAs(definitions.listChecks, toListQuery),
      answer: async (wanted, request) => {
        const { checks, nextCursor = null } = await list(wanted, request);
        return { checks: checks.map(printCheck), count: checks.length, nextCursor };
      },
    }),
    POST: checkRoute(charge, {
      ...readAs(definitions.createCheck, (read, request: FastifyRequest) =>
        toWanted(read, request, parts),
      ),
      answer: async (wanted, _request, reply) => {
        const created = await storedChecks.create(wanted);
        if (created.kind === 'conflict') throw new ApiError('idempotencyKeyReused');
        const { kind, check } = created;
        const isPending = check.status === 'pending';
        reply.code(kind === 'reused' ? 200 : isPending ? 202 : 201);
        reply.header('location', `/vatchecks/${check.id}`);
        if (isPending) reply.header('retry-after', String(secondsToWait(check, clock.now())));
        return printCheck(check);
      },
    }),
  });
  addRoutes(app, '/vatchecks.csv', {
    GET: checkRoute(charge, {
      ...readAs(asCsv(definitions.listChecks), toListQuery),
      answer: async (wanted, request, reply) => {
        const { checks, nextCursor } = await list(wanted, request);
        if (nextCursor !== undefined) reply.header('link', linkToNext(request, nextCursor));
        reply.header('content-disposition', 'attachment; filename="vatchecks.csv"').type(csvType);
        return printSpreadsheet(toCheckTable(checks.map(printCheck)));
      },
    }),
  });
  addRoutes(app, '/vatchecks/:id', {
    GET: checkRoute(charge, {
      ...readAs(definitions.getCheck),
      answer: async ({ id, waitSeconds }, request) => {
        const check = await storedChecks.find(keyIdOf(request), checkId(id), waitSeconds);
        if (check === undefined) throw new ApiError('notFound');
        return printCheck(check);
      },
    }),
    DELETE: checkRoute(charge, {
      ...readAs(definitions.deleteCheck),
      answer: async ({ id }, request, reply) => {
        const check = { keyId: keyIdOf(request), id: checkId(id) };
        if (!(await deleteCheck(db, check, onDeleted))) throw new ApiError('notFound');
        reply.code(204);
      },
    }),
  });
}

/** The `Link` to the next page of a file, which has no `nextCursor`. */
function linkToNext({ query }: FastifyRequest, nextCursor: string): string {
  const parameters = new URLSearchParams({
    ...(query as Record<string, string>),
    cursor: nextCursor,
  });
  return `</vatchecks.csv?${parameters.toString()}>; rel="next"`;
}

function toWanted(
  { body, 'Idempotency-Key': idempotencyKey }: ReadBy<typeof definitions.createCheck>,
  request: FastifyRequest,
  { charge, service }: Pick<RouteParts, 'charge' | 'service'>,
): WantedCheck {
  const read = toCheckRequest(body, defaultsOf(request, service));
  if (read.kind === 'requesterNotAllowed') throw new ApiError('requesterNotAllowed');
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : { idempotencyKey, bodyDigest: digestBody(request.body) };
  const chargeQuery = (): void | Promise<void> => charge(request, quotaOnly(1));
  return { keyId: keyIdOf(request), request: read.request, idempotency, chargeQuery };
}

/** Seconds until a pending check may have ended: until its next attempt, or its expiry if there is none; at least 1. */
function secondsToWait({ nextAttemptAt, expiresAt }: StoredCheck, nowMs: number): number {
  return Math.max(1, Math.ceil((Date.parse(nextAttemptAt ?? expiresAt) - nowMs) / 1_000));
}
