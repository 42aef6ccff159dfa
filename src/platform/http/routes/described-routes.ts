import type { FastifyInstance } from 'fastify';
import type { RouteScope } from '../responses/api-errors.ts';
import type { RouteDefinition } from './define-route.ts';

/** A route of the reference. */
export type DescribedRoute = {
  readonly method: string;
  /** As the router has it: `/rates/:date`. */
  readonly url: string;
  /** The scope that a key needs; null for a route that needs no key. */
  readonly scope: RouteScope | null;
  readonly definition: RouteDefinition;
};

/**
 * Collects the routes that are added to an app from now on, without HEAD, which comes with GET.
 *
 * Adding a route throws if it does not declare its scope (null for none) and its definition (null if the reference leaves it out).
 */
export function collectRoutes(app: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.scope === undefined) throw new Error(`${String(method)} ${url} declares no scope`);
    const { scope, definition } = config;
    if (definition === null || method === 'HEAD') return;
    if (definition === undefined || typeof method !== 'string') {
      throw new Error(`${String(method)} ${url} has no definition for the reference`);
    }
    routes.push({ method, url, scope, definition });
  });
  return routes;
}
