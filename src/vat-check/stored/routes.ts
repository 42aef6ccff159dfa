import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { addRoutes, type Charge, charged, type Route } from '../../platform/http/routes/routes.ts';
import type { Clock } from '../../platform/time.ts';
import { readCheckRequest, type RequesterDefaults, waitSecondsLimits } from './check-request.ts';
import type { StoredChecks } from './create-stored-checks.ts';
import type { WantedCheck } from './create-check.ts';
import { digestBody, readIdempotencyKey } from './idempotency-key.ts';
import { printCheck } from './print-check.ts';
import type { StoredCheck } from './stored-check.ts';

type RouteParts = {
  readonly charge: Charge;
  readonly clock: Clock;
  readonly storedChecks: Pick<StoredChecks, 'create' | 'find'>;
};

const defaults: RequesterDefaults = { ofKey: undefined, ofService: undefined };

/** Adds the routes of stored checks (rules K4 to K6 and K11). A check belongs to the key that created it. */
export function addStoredCheckRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { charge, clock, storedChecks } = parts;
  addRoutes(app, '/vatchecks', {
    POST: checkRoute(charge, {
      operation: 'createCheck',
      read: readWanted,
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
  addRoutes(app, '/vatchecks/:id', {
    GET: checkRoute(charge, {
      operation: 'getCheck',
      query: ['waitSeconds'],
      read: ({ query }) => readWaitSeconds(query),
      answer: async (waitSeconds, request) => {
        const check = await storedChecks.find(keyIdOf(request), idOf(request), waitSeconds);
        if (check === undefined) throw new ApiError('notFound');
        return printCheck(check);
      },
    }),
  });
}

type CheckRoute<Parameters> = Pick<Route, 'operation' | 'query'> & {
  readonly read: (request: FastifyRequest) => Parameters;
  /** Returns the body; sets the status unless it is 200. */
  readonly answer: (
    parameters: Parameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<object>;
};

/** Makes a charged route of scope `checks`. No cache may store its answers (rule K5). */
function checkRoute<Parameters>(charge: Charge, route: CheckRoute<Parameters>): Route {
  const { answer, ...rest } = route;
  return charged(charge, {
    ...rest,
    scope: 'checks',
    answer: async (parameters, request, reply) => {
      const body = await answer(parameters, request, reply);
      return reply.header('cache-control', 'private, no-store').send(body);
    },
  });
}

function readWanted(request: FastifyRequest): WantedCheck {
  const { body } = request;
  const read = readCheckRequest(body, defaults);
  const sent = request.raw.headersDistinct['idempotency-key'];
  const key = readIdempotencyKey(sent?.length === 1 ? sent[0] : sent);
  if (read.kind === 'requesterNotAllowed') throw new Error('a key has a requester of its own');
  const idempotency = key === undefined ? undefined : { key, bodyDigest: digestBody(body) };
  return { keyId: keyIdOf(request), request: read.request, idempotency };
}

/** Reads the parameter `waitSeconds` of a read; 0 if there is none. Throws the 400 for one that is malformed. */
function readWaitSeconds(query: unknown): number {
  const { waitSeconds = '0' } = query as Readonly<Record<string, unknown>>;
  const { min, max } = waitSecondsLimits;
  const isWhole = typeof waitSeconds === 'string' && /^[0-9]{1,2}$/.test(waitSeconds);
  if (isWhole && Number(waitSeconds) <= max) return Number(waitSeconds);
  throw invalidField('waitSeconds', `a whole number from ${min} to ${max}`);
}

/** Seconds until a pending check may have ended: until its next attempt, or its expiry if there is none; at least 1. */
function secondsToWait({ nextAttemptAt, expiresAt }: StoredCheck, nowMs: number): number {
  return Math.max(1, Math.ceil((Date.parse(nextAttemptAt ?? expiresAt) - nowMs) / 1_000));
}

/** The id in the path; 404 for a text that cannot be one. */
function idOf({ params }: FastifyRequest): string {
  const { id } = params as { readonly id: string };
  if (!/^vc_[0-9a-f]{32}$/.test(id)) throw new ApiError('notFound');
  return id;
}

function keyIdOf({ keyId }: FastifyRequest): string {
  if (keyId === null) throw new Error('a route was reached without a key');
  return keyId;
}
