import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FreeLimits } from '../free-requests.ts';
import { type PublicPath, withPath } from '../public-path.ts';
import { PreparedResponse, type RouteResult } from '../responses/prepared-response.ts';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { RouteDefinition } from './define-route.ts';
import { findPath } from './known-paths.ts';
import { addReadRoute, type Charge } from './routes.ts';
import type { KnownQuery } from './strict-query.ts';

/** The scope of every cached route. */
export const cachedRouteScope = 'read';

/** How many targets are known at the same time; they take 10 MB at most. */
const targetsMax = 20_000;
/** A longer target never gets known: callers must not fill the memory with text that they make up. */
const targetCharsMax = 200;
const plainTarget = /^(?:\/[\w.-]+)+$/;

/** Whether a target has neither query nor escape, so that its parameters may be read without the framework. */
export function isPlain(target: string): boolean {
  return plainTarget.test(target);
}

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
  readonly url: string;
  /** Its query parameters; none if this is left out. */
  readonly query?: KnownQuery;
  readonly definition: RouteDefinition | null;
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
    caller: RouteCaller,
  ) => RouteResult | Promise<RouteResult>;
};

/** The caller of a cached route, whose key has the scope. */
export type RouteCaller = {
  readonly apiKey: NonNullable<FastifyRequest['apiKey']>;
  /** When the request arrived, by `performance.now()`. */
  readonly arrivedMs: number;
  /** Whether the request was charged. */
  isCounted: boolean;
};

/** A route without the type of its parameters, so that one table can hold all routes. */
type AnyCachedRoute = CachedRoute<unknown>;

/** The route that a request target leads to, and its parsed parameters. */
export type KnownTarget = {
  readonly route: AnyCachedRoute;
  readonly parameters: unknown;
  readonly cost: number;
  /** The same for all targets with the same parameters; undefined for a route that keeps its own cache. */
  readonly key: string | undefined;
};

/**
 * The cached routes of an app.
 *
 * Requests for a known target are answered before they get to the framework (`server/known-targets.ts`), and so are those
 * for a plain one. The framework routes any other target once; then it is known. Both ways call `respond`. Responses are
 * cached by parsed parameters until a snapshot is published.
 */
export class CachedRoutes {
  readonly #app: FastifyInstance;
  readonly #charge: Charge;
  readonly #cache: ResponseCache;
  readonly #publicPath: PublicPath;
  readonly #freeLimits: Pick<FreeLimits, 'ofCheck'>;
  /** A full map is emptied: an LRU order would cost each request more than the routing that it saves. */
  readonly #targets = new Map<string, KnownTarget>();
  readonly #routes = new Map<string, AnyCachedRoute>();

  constructor(parts: {
    readonly app: FastifyInstance;
    readonly charge: Charge;
    readonly cache: ResponseCache;
    readonly publicPath: PublicPath;
    readonly freeLimits: Pick<FreeLimits, 'ofCheck'>;
  }) {
    this.#app = parts.app;
    this.#charge = parts.charge;
    this.#cache = parts.cache;
    this.#publicPath = parts.publicPath;
    this.#freeLimits = parts.freeLimits;
  }

  /** Adds a route to the app. */
  add<Parameters>(route: CachedRoute<Parameters>): void {
    const { url, query = [], definition } = route;
    this.#routes.set(url, route as AnyCachedRoute);
    addReadRoute(this.#app, url, {
      scope: cachedRouteScope,
      query,
      definition,
      handler: (request, reply) => this.#handle(route as AnyCachedRoute, request, reply),
    });
  }

  /** The route and the parameters of a known target. */
  findTarget(target: string): KnownTarget | undefined {
    return this.#targets.get(target);
  }

  /**
   * The same of any target, which is then known; undefined if the framework has to route it, or to say what is wrong. Only for
   * callers with a key: others must not fill the memory.
   */
  routeTarget(target: string): KnownTarget | undefined {
    if (target.length > targetCharsMax || !isPlain(target)) return undefined;
    const found = findPath(this.#app, target);
    const route = this.#routes.get(found?.path.url ?? '');
    if (found === undefined || route === undefined) return undefined;
    try {
      return this.#remember(target, toTarget(route, { params: found.params, query: {} }));
    } catch {
      return undefined;
    }
  }

  /**
   * Runs the steps of a route after its parameters are parsed, or throws the `ApiError` that ends the request. What is
   * known at once is no promise unless its charge is one: each promise takes 2 % of the time of a short answer.
   */
  respond(target: KnownTarget, caller: RouteCaller): PreparedResponse | Promise<PreparedResponse> {
    const { route, parameters, key } = target;
    if (key === undefined) {
      const free = route.findFree?.(parameters);
      if (free === undefined) return this.#make(target, caller);
      if (!(free instanceof Promise)) return this.#giveFree(route.url, free, caller);
      return free.then((found) =>
        found === undefined ? this.#make(target, caller) : this.#giveFree(route.url, found, caller),
      );
    }
    const cached = this.#cache.find(key);
    if (cached !== undefined) {
      const charged = this.#charge(caller, target.cost);
      return charged instanceof Promise ? charged.then(() => cached) : cached;
    }
    // Before the charge: a refused request costs nothing (contract C3).
    const make = async (): Promise<PreparedResponse> => this.#make(target, caller);
    return route.limit === undefined ? make() : route.limit.run(caller.apiKey.id, make);
  }

  /** A free response: immediately, or in its turn and as the last one of its connection (contract C26a). */
  #giveFree(
    url: string,
    free: RouteResult,
    { apiKey }: RouteCaller,
  ): PreparedResponse | Promise<PreparedResponse> {
    const turn = this.#freeLimits.ofCheck(apiKey);
    if (turn === undefined) return this.#toResponse(url, free);
    return turn.then(() => this.#toResponse(url, { ...free, isOverLimit: true }));
  }

  async #make(
    { route, parameters, cost, key }: KnownTarget,
    caller: RouteCaller,
  ): Promise<PreparedResponse> {
    await this.#charge(caller, cost);
    const { generation } = this.#cache;
    const response = this.#toResponse(route.url, await route.find(parameters, caller));
    // A result without a validator differs between callers, or soon changes.
    if (response.etag !== null && key !== undefined) this.#cache.store(generation, key, response);
    return response;
  }

  #toResponse(url: string, result: RouteResult): PreparedResponse {
    const path = this.#publicPath;
    if (path === '' || result.link === undefined) return new PreparedResponse(url, result);
    return new PreparedResponse(url, { ...result, link: withPath('link', result.link, path) });
  }

  async #handle(
    route: AnyCachedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const target = request.raw.url ?? '';
    const known =
      this.#targets.get(target) ?? this.#remember(target, toTarget(route, request as RouteInput));
    const { apiKey } = request;
    if (apiKey === undefined) throw new Error('a cached route was reached without a key');
    const arrivedMs = performance.now() - reply.elapsedTime;
    const caller = { apiKey, arrivedMs, isCounted: false };
    try {
      const response = await this.respond(known, caller);
      request.isOverLimit = response.isOverLimit;
      response.send(request, reply);
    } finally {
      request.isCounted = caller.isCounted;
    }
    return reply;
  }

  #remember(target: string, known: KnownTarget): KnownTarget {
    if (target.length > targetCharsMax) return known;
    if (this.#targets.size >= targetsMax) this.#targets.clear();
    this.#targets.set(target, known);
    return known;
  }
}

/** Parses the parameters of a request, or throws the 4xx. */
function toTarget(route: AnyCachedRoute, { params, query }: RouteInput): KnownTarget {
  const parameters = route.read({ params, query });
  const key = route.findFree === undefined ? toKey(route.url, parameters) : undefined;
  return { route, parameters, cost: route.cost?.(parameters) ?? 1, key };
}

function toKey(url: string, parameters: unknown): string {
  return `${url} ${typeof parameters === 'string' ? parameters : JSON.stringify(parameters)}`;
}
