import type { FastifyInstance } from 'fastify';
import type { RouteScope } from '../responses/api-errors.ts';
import type { RouteDefinition } from './define-route.ts';
import type { KnownQuery } from './strict-query.ts';

/** A route that the reference has to describe. */
export type DescribedRoute = {
  readonly method: string;
  /** As the router has it: `/rates/:date`. */
  readonly url: string;
  readonly operation: string;
  /** The scope that a key needs; null for a route that needs no key. */
  readonly scope: RouteScope | null;
  /** Undefined for a public route, which is not checked for unknown parameters. */
  readonly query?: KnownQuery | undefined;
  /** Undefined if it stands in `reference/descriptions`. */
  readonly definition?: RouteDefinition | undefined;
};

/**
 * Collects the routes that are added to an app from now on, without HEAD, which comes with GET.
 *
 * Adding a route throws if it does not declare its operation and its scope (null for none).
 */
export function collectRoutes(app: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.scope === undefined) throw new Error(`${String(method)} ${url} declares no scope`);
    if (config.operation === null || method === 'HEAD') return;
    if (config.operation === undefined || typeof method !== 'string') {
      throw new Error(`${String(method)} ${url} has no operation for the reference`);
    }
    const { operation, scope, query, definition } = config;
    routes.push({ method, url, operation, scope, query, definition });
  });
  return routes;
}
