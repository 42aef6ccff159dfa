import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type RouteScope, scopeMissing } from '../responses/api-errors.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Cost, costOf, costOfRows, quotaOnly } from '../request-cost.ts';
import type { RouteDefinition } from './define-route.ts';
import { checkCharset } from './json-body.ts';
import { addKnownPath } from './known-paths.ts';
import { findUnknown, type KnownQuery } from './strict-query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a key needs; null for a route that needs no key (contract C1). */
    readonly scope?: RouteScope | null;
    /** Its query parameters; undefined if unknown ones are not checked. */
    readonly query?: KnownQuery;
    /** Whether it needs no key (contract C1). */
    readonly isPublic?: boolean;
    /** Whether its body is the bytes that were sent, not parsed. */
    readonly isBodyRaw?: boolean;
    /** What the reference says about it; null if it is not in the reference. */
    readonly definition?: RouteDefinition | null;
  }
}

/** A route that needs no key; its definition is null if it is not in the reference. */
type PublicRoute = {
  readonly definition: RouteDefinition | null;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
};

/** A route that needs a key with its scope. */
export type Route = PublicRoute & {
  readonly scope: RouteScope;
  /** None if this is left out. */
  readonly query?: KnownQuery;
  /** Without it, the body is JSON of at most 64 KB. */
  readonly rawBody?: RawBody;
  /** Called before the body of a POST, PUT, PATCH or DELETE is read; it may throw. */
  readonly beforeBody?: (request: FastifyRequest) => void | Promise<void>;
};

/** A body that a route gets as the bytes that were sent, whatever its Content-Type. */
export type RawBody = {
  /** A longer one is 413. */
  readonly bytesMax: number;
  /** Bounds how many such bodies are in memory. */
  readonly limit: ConcurrencyLimit;
};
type Routes = { readonly [Method in 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE']?: Route };

/** Adds the routes of a path, and HEAD with GET. Every other method is 405 (`createApp`). */
export function addRoutes(app: FastifyInstance, url: string, routes: Routes): void {
  for (const [method, route] of Object.entries(routes)) {
    const { scope, query = [], definition, rawBody, beforeBody, handler } = route;
    app.route({
      method,
      url,
      config: {
        scope,
        isPublic: false,
        query,
        definition,
        isBodyRaw: rawBody !== undefined,
      },
      ...(rawBody !== undefined && { bodyLimit: rawBody.bytesMax }),
      onRequest: [
        // Refuses unknown parameters before the body is read.
        (request, reply, done) => {
          const unknown = findUnknown(request.query as object, query);
          if (unknown === undefined && rawBody !== undefined) enter(rawBody.limit, request, reply);
          done(unknown);
        },
        ...(beforeBody === undefined || method === 'GET'
          ? []
          : [async (request: FastifyRequest) => beforeBody(request)]),
        ...(method === 'GET' || rawBody !== undefined ? [] : [refuseCharset]),
      ],
      handler,
    });
  }
  addKnownPath(app, { url, allowed: printAllowed(Object.keys(routes)), isPublic: false });
}

/** Refuses a charset before the body is read; a request without a body has no type here. */
function refuseCharset(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.headers['content-type'] !== undefined) checkCharset(request);
  done();
}

/** Counts a request until its response has ended, also if its caller hangs up, or throws the 429. */
function enter(limit: ConcurrencyLimit, { keyId }: FastifyRequest, { raw }: FastifyReply): void {
  raw.once('close', limit.enter(keyId ?? ''));
}

/** The id of the key of a request to a route that needs a key. */
export function keyIdOf({ keyId }: FastifyRequest): string {
  if (keyId === null) throw new Error('a route was reached without a key');
  return keyId;
}

/** Adds a route that answers GET and HEAD. */
export function addReadRoute(app: FastifyInstance, url: string, route: Route): void {
  addRoutes(app, url, { GET: route });
}

/** Adds a route that answers GET and HEAD and needs no key (contract C1). */
export function addPublicRoute(
  app: FastifyInstance,
  url: string,
  { definition, handler }: PublicRoute,
): void {
  const config = { scope: null, isPublic: true, definition };
  app.route({ method: 'GET', url, config, handler });
  addKnownPath(app, { url, allowed: printAllowed(['GET']), isPublic: true });
}

/**
 * Throws the 403 if the key lacks the scope of the route. Unknown paths and methods have no scope: their 404 and
 * 405 come first (contract C3).
 */
export function checkScope({ routeOptions, apiKey }: FastifyRequest): void {
  const scope = routeOptions.config?.scope ?? null;
  if (scope === null) return;
  if (apiKey?.scopes.includes(scope) !== true) {
    throw new ApiError(scopeMissing[scope], {}, { reason: 'scope' });
  }
}

/** Whether the path of a request needs no key. */
export function isPublic({ knownPath, routeOptions }: FastifyRequest): boolean {
  return (knownPath ?? routeOptions.config)?.isPublic === true;
}

/** The methods of a path as the header `Allow` lists them. */
function printAllowed(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ');
}

/** Counts a request against the limits of its key (as one by default), or throws the 429; a promise only if it has to wait. */
export type Charge = (
  request: Pick<FastifyRequest, 'apiKey' | 'isCounted'>,
  cost?: Cost,
) => void | Promise<void>;

/** Counts the rows of a body against the rate limit, or throws the 429 (rule K10). */
export type ChargeRows = (rows: number) => Promise<void>;

export type ChargedRoute<Parameters> = Pick<Route, 'scope' | 'query' | 'definition' | 'rawBody'> & {
  /** One request by default. */
  readonly cost?: Cost;
  /** Checks the parameters of the path of a request with a body, or throws the 4xx, which is not charged. */
  readonly readPath?: (request: FastifyRequest) => unknown;
  /** Parses the parameters or the body, or throws the 4xx. A body with rows is charged for them before they are read. */
  readonly read: (
    request: FastifyRequest,
    chargeRows: ChargeRows,
  ) => Parameters | Promise<Parameters>;
  readonly answer: (
    parameters: Parameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => unknown;
};

/**
 * Makes a route whose requests are charged, in the order of contract C3 and rule K10.
 *
 * A GET: parameters (a 400 is free), charge, work. A request with a body: path, rate limit, the body and its rows, quota,
 * work. So a refused body counts against the rate limit, and never against the quota.
 */
export function charged<Parameters>(charge: Charge, route: ChargedRoute<Parameters>): Route {
  const { readPath, read, answer, cost = 1, ...rest } = route;
  const { rateLimit, quota } = costOf(cost);
  const chargePart = async (request: FastifyRequest, part: Cost): Promise<void> => {
    const { rateLimit: ofRate, quota: ofQuota } = costOf(part);
    if (ofRate + ofQuota > 0) await charge(request, part);
  };
  return {
    ...rest,
    beforeBody: async (request) => {
      readPath?.(request);
      return chargePart(request, { rateLimit, quota: 0 });
    },
    handler: async (request, reply) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const chargeRows: ChargeRows = async (rows) => chargePart(request, costOfRows(rows));
      const parameters = await read(request, chargeRows);
      await chargePart(request, isRead ? cost : quotaOnly(quota));
      return answer(parameters, request, reply);
    },
  };
}

/** Adds a read route whose requests are charged. */
export function addChargedRoute<Parameters>(
  app: FastifyInstance,
  url: string,
  route: ChargedRoute<Parameters> & { readonly charge: Charge },
): void {
  addReadRoute(app, url, charged(route.charge, route));
}
