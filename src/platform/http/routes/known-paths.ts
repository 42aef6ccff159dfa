import type { FastifyInstance, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of a request whose method the path does not have, also of a preflight; null for any other request. */
    knownPath: KnownPath | null;
  }
}

/** A path that has routes. */
export type KnownPath = {
  /** As the routes write it: `/rates/:date`. */
  readonly url: string;
  /** The methods that it has, as the header `Allow` lists them. */
  readonly allowed: string;
  /** Whether a request for it needs no key (contract C1). */
  readonly isPublic: boolean;
};

/**
 * The paths of each app, in a router of their own. As routes for the thirty other methods of each path, they took a fifth of
 * the time of a start, and 12 MB.
 */
const routers = new WeakMap<FastifyInstance, ReturnType<typeof createRouter>>();

export function addKnownPath(app: FastifyInstance, path: KnownPath): void {
  // The length of an address is limited elsewhere.
  const router = routers.get(app) ?? createRouter({ maxParamLength: Infinity });
  routers.set(app, router);
  router.on('GET', path.url, () => {}, path);
}

type Params = Readonly<Record<string, string>>;

/** The path of a request target, and its parameters; undefined if it has no routes. */
export function findPath(
  app: FastifyInstance,
  target: string,
): { readonly path: KnownPath; readonly params: Params } | undefined {
  const found = routers.get(app)?.find('GET', target) ?? undefined;
  return found && { path: found.store as KnownPath, params: found.params as Params };
}

/** Finds the path of each request that has no route of its own, before other hooks ask for it. */
export function findKnownPaths(app: FastifyInstance): void {
  app.decorateRequest('knownPath', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '' } = request.routeOptions;
    // `*` is the route for preflights, of all paths. A GET of `/vatchecks/batch` would be one of `/vatchecks/:id`.
    if (request.is404 || url === '*' || url.includes(':')) {
      const { path = null } = findPath(app, request.url) ?? {};
      request.knownPath = path?.url === url ? null : path;
    }
    done();
  });
}

/** The path of a request as its routes write it, for logs and metrics; undefined if it has no routes. */
export function pathOf({ knownPath, routeOptions }: FastifyRequest): string | undefined {
  return knownPath?.url ?? routeOptions.url;
}
