import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../maybe-async.ts';
import { PreparedResponse, type RouteResult } from '../responses/prepared-response.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { addReadRoute, type Charge } from './routes.ts';
import { findUnknown, type KnownQuery } from './strict-query.ts';

/** The scope of every cached route. */
export const cachedRouteScope = 'read';

/** The parameters of a request. */
export type RouteInput = {
  /** Parameters of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  /** A parameter that was given twice is a list. */
  readonly query: Readonly<Record<string, unknown>>;
};

/**
 * A route whose response follows from the URL alone and is the same for every caller.
 *
 * Its steps run in the order of contract C3: parameters, free results, charge, work.
 */
export type CachedRoute<Parameters> = {
  /** A pattern of literal and named segments (`route-table.ts`). */
  readonly url: string;
  readonly operation: string;
  /** Its query parameters; none if this is left out. */
  readonly query?: KnownQuery;
  /**
   * Parses the parameters into plain data, in one form for all ways to write them, or throws the 4xx. Responses
   * are cached by this data.
   */
  readonly read: (input: RouteInput) => Parameters;
  /** How many requests it counts as against rate limit and quota; 1 if this is left out. */
  readonly cost?: (parameters: Parameters) => number;
  /** Bounds how many responses are made from the database at the same time; for expensive routes. */
  readonly limit?: ConcurrencyLimit;
  /** A result that costs the caller nothing, or undefined. A route that has this step keeps its own cache. */
  readonly findFree?: (
    parameters: Parameters,
  ) => RouteResult | undefined | Promise<RouteResult | undefined>;
  /** Makes the result, or throws the error that ends the request. */
  readonly find: (
    parameters: Parameters,
    request: CachedRouteRequest,
  ) => RouteResult | Promise<RouteResult>;
};

/** The parts of a request that the steps of a cached route need. */
export type CachedRouteRequest = {
  /** The request target as it was sent. */
  readonly target: string;
  readonly keyId: string;
  /** Parsed parameters; rethrows the parse error. */
  readonly parameters: () => unknown;
  /** Counts the request as this many, or throws the 429. */
  readonly charge: (cost: number) => void | Promise<void>;
  /** The age of the request. */
  readonly elapsedMs: () => number;
};

/** A route without the type of its parameters, so that one table can hold all routes. */
type AnyCachedRoute = CachedRoute<unknown>;

/**
 * The cached routes of an app.
 *
 * Responses are cached by parsed parameters until a snapshot is published. Values that are available synchronously
 * are returned synchronously: a promise costs more than finding a response in memory.
 */
export class CachedRoutes {
  readonly #app: FastifyInstance;
  readonly #charge: Charge;
  readonly #cache: ResponseCache;

  constructor(parts: {
    readonly app: FastifyInstance;
    readonly charge: Charge;
    readonly cache: ResponseCache;
  }) {
    this.#app = parts.app;
    this.#charge = parts.charge;
    this.#cache = parts.cache;
  }

  /** Adds a route to the app. */
  add<Parameters>(route: CachedRoute<Parameters>): void {
    const { url, operation, query = [] } = route;
    const strict = {
      ...route,
      read: (input: RouteInput) => {
        const error = findUnknown(input.query, query);
        if (error !== undefined) throw error;
        return route.read(input);
      },
    } as AnyCachedRoute;
    addReadRoute(this.#app, url, {
      operation,
      scope: cachedRouteScope,
      query,
      handler: (request, reply) => this.#handle(strict, request, reply),
    });
  }

  /** The response for a target if it is in memory. The caller has to be charged for it. */
  findCached(target: string): PreparedResponse | undefined {
    return this.#cache.find(target);
  }

  /** Runs the steps of a route for a target that is not in memory; throws, or rejects with, an `ApiError`. */
  respond(
    route: AnyCachedRoute,
    request: CachedRouteRequest,
  ): PreparedResponse | Promise<PreparedResponse> {
    const parameters = request.parameters();
    return andThen(
      route.findFree?.(parameters),
      (free): PreparedResponse | Promise<PreparedResponse> =>
        free === undefined
          ? this.#respondCharged(route, parameters, request)
          : new PreparedResponse(route.url, free),
    );
  }

  #respondCharged(
    route: AnyCachedRoute,
    parameters: unknown,
    request: CachedRouteRequest,
  ): PreparedResponse | Promise<PreparedResponse> {
    const cost = route.cost?.(parameters) ?? 1;
    const make = (key?: string): PreparedResponse | Promise<PreparedResponse> =>
      andThen(request.charge(cost), () => {
        const { generation } = this.#cache;
        return andThen(route.find(parameters, request), (result) => {
          const response = new PreparedResponse(route.url, result, cost);
          // A result without a validator differs between callers, or soon changes.
          if (result.representation.etag !== null && key !== undefined) {
            this.#cache.store(generation, { key, target: request.target, response });
          }
          return response;
        });
      });
    if (route.findFree !== undefined) return make();
    const key = keyOf(route, parameters);
    const known = this.#cache.findByKey(key, request.target);
    if (known !== undefined) return andThen(request.charge(cost), () => known);
    // Before the charge: a refused request costs nothing (contract C3).
    return route.limit?.run(request.keyId, async () => make(key)) ?? make(key);
  }

  async #handle(
    route: AnyCachedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const target = request.raw.url ?? '';
    const known = this.findCached(target);
    if (known !== undefined) {
      await this.#charge(request, known.cost);
      return known.send(request, reply);
    }
    const response = await this.respond(route, {
      target,
      keyId: request.keyId ?? '',
      parameters: () =>
        route.read({
          params: request.params as RouteInput['params'],
          query: request.query as RouteInput['query'],
        }),
      charge: (cost) => this.#charge(request, cost),
      elapsedMs: () => reply.elapsedTime,
    });
    return response.send(request, reply);
  }
}

/** The same for all requests with the same parameters, whatever else their targets contain. */
function keyOf({ url }: AnyCachedRoute, parameters: unknown): string {
  return `${url} ${typeof parameters === 'string' ? parameters : JSON.stringify(parameters)}`;
}
