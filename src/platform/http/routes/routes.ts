import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type IsoDate, parseIsoDate } from '../../time.ts';
import {
  ApiError,
  type ApiErrorName,
  type RouteScope,
  scopeMissing,
} from '../responses/api-errors.ts';
import type { Asked } from './cached-routes.ts';
import { findUnknown, type KnownQuery } from './strict-query.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id under which the reference describes the route; null for what is no part of it. */
    readonly operation?: string | null;
    /** The scope that a key needs for the route; null for a route that answers without one (contract C1). */
    readonly scope?: RouteScope | null;
    /** Its query parameters; undefined for a route that is not checked for others. */
    readonly query?: KnownQuery;
    /** Whether it answers without a key (contract C1). */
    readonly isPublic?: boolean;
  }
}

/** A route that answers without a key, and the id under which the feature's `reference.ts` describes it. */
type PublicRoute = {
  readonly operation: string | null;
  /** None where this is left out. */
  readonly query?: KnownQuery;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
};

/** A route for keys that have its scope. */
export type Route = PublicRoute & { readonly scope: RouteScope };
type Routes = { readonly [Method in 'GET' | 'POST' | 'PATCH' | 'DELETE']?: Route };

/**
 * Adds the routes of a path, HEAD with GET, and 405 for every other method.
 *
 * The 405 comes from a hook: after the key was checked, before a body is looked at (contract C2, C3).
 */
export function addRoutes(app: FastifyInstance, url: string, routes: Routes): void {
  addEach(app, url, { routes, isPublic: false });
}

/** Adds a route that answers GET and HEAD. */
export function addReadRoute(app: FastifyInstance, url: string, route: Route): void {
  addRoutes(app, url, { GET: route });
}

/** Adds a route that answers GET and HEAD, and needs no key (contract C1). */
export function addPublicRoute(app: FastifyInstance, url: string, route: PublicRoute): void {
  addEach(app, url, { routes: { GET: { ...route, scope: null } }, isPublic: true });
}

/**
 * Ends a request whose key lacks the scope of its route with the 403. Unknown paths and methods have no
 * scope: their 404 and 405 come first (contract C3).
 */
export function checkScope({ routeOptions, apiKey }: FastifyRequest): void {
  const scope = routeOptions.config?.scope ?? null;
  if (scope === null) return;
  if (apiKey?.scopes.includes(scope) !== true) {
    throw new ApiError(scopeMissing[scope], {}, { reason: 'scope' });
  }
}

/** Whether a request is for a route that needs no key. */
export function isPublic(request: FastifyRequest): boolean {
  return request.routeOptions.config?.isPublic === true;
}

function addEach(
  app: FastifyInstance,
  url: string,
  {
    routes,
    isPublic,
  }: {
    readonly routes: Readonly<Record<string, PublicRoute & { readonly scope: RouteScope | null }>>;
    readonly isPublic: boolean;
  },
): void {
  const allowed = Object.keys(routes).flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : m));
  for (const [method, { operation, scope, query = [], handler }] of Object.entries(routes)) {
    if (isPublic) app.route({ method, url, config: { operation, scope, isPublic }, handler });
    else {
      const config = { operation, scope, isPublic, query };
      app.route({ method, url, config, handler, ...strict(query) });
    }
  }
  app.route({
    method: otherMethods(app, allowed),
    url,
    config: { operation: null, scope: null, isPublic },
    onRequest: (_request, _reply, done) => {
      done(new ApiError('methodNotAllowed', { allow: allowed.join(', ') }));
    },
    handler: () => {},
  });
}

/** Before the body is read: a request with an unknown parameter is refused however it goes on. */
function strict(query: KnownQuery): Pick<RouteOptions, 'onRequest'> {
  return {
    onRequest: (request, _reply, done) => {
      done(findUnknown(request.query as object, query));
    },
  };
}

/**
 * Counts a request against its key's limits, as so many requests as it costs (1 where that is left out), or
 * throws the 429; waits only where it has to read.
 */
export type Charge = (
  request: Pick<FastifyRequest, 'apiKey'>,
  cost?: number,
) => void | Promise<void>;

type ChargedRoute<Parameters> = Pick<Route, 'operation' | 'scope' | 'query'> & {
  /** Gives what was asked for, or throws the 400. */
  readonly read: (request: FastifyRequest) => Parameters;
  readonly answer: (
    parameters: Parameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => unknown;
};

/**
 * Makes a route whose requests are charged, in the order of contract C3: what was asked for is read first,
 * so a 400 costs nothing; then the charge; then the work.
 */
export function charged<Parameters>(charge: Charge, route: ChargedRoute<Parameters>): Route {
  const { operation, scope, query = [], read, answer } = route;
  return {
    operation,
    scope,
    query,
    handler: (request, reply) => {
      const parameters = read(request);
      const pending = charge(request);
      return pending === undefined
        ? answer(parameters, request, reply)
        : pending.then(() => answer(parameters, request, reply));
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

/** For routes that take no parameters. */
export function readNothing(): void {}

/** The date in the path, or the answer that it is malformed (contract C5). */
export function dateParameter({ params }: Asked): IsoDate {
  const parsed = parseIsoDate(params['date'] ?? '');
  if (parsed === null) throw new ApiError('invalidDate');
  return parsed;
}

/** A 404 for a date, with links to the nearest dates that exist (contract C10). */
export function dateNotFound(
  code: ApiErrorName,
  path: string,
  neighbours: { readonly previous: string | undefined; readonly next: string | undefined },
): ApiError {
  const links = [
    neighbours.previous === undefined ? [] : `<${path}/${neighbours.previous}>; rel="prev"`,
    neighbours.next === undefined ? [] : `<${path}/${neighbours.next}>; rel="next"`,
  ].flat();
  return new ApiError(code, links.length === 0 ? {} : { link: links.join(', ') });
}

function otherMethods(app: FastifyInstance, allowed: readonly string[]): string[] {
  return METHODS.filter((method) => {
    if (allowed.includes(method) || method === 'CONNECT') return false;
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
    return true;
  });
}
