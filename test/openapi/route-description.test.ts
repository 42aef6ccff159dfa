import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { RouteDescription } from '../../reference/descriptions/route-description.ts';
import { type OpenApiParts, printOpenApi } from '../../reference/openapi/openapi.ts';
import { collectRoutes } from '../../src/platform/http/routes/described-routes.ts';
import { addReadRoute, addRoutes } from '../../src/platform/http/routes/routes.ts';

const handler = (): string => 'ok';
const description: RouteDescription = {
  tag: 'Things',
  summary: 'A thing',
  answer: { status: 200, description: 'It.', cacheControl: ['no-store'] },
};
const parts: OpenApiParts = {
  info: {},
  tags: [],
  routes: [{ method: 'GET', url: '/things/:id', operation: 'getThing', scope: 'read' }],
  reference: { getThing: description },
  events: {},
  examples: {},
};

describe('collectRoutes', () => {
  it('lists the methods of a path, without HEAD and methods that are refused', () => {
    const app = fastify();
    const routes = collectRoutes(app);

    addRoutes(app, '/things', {
      GET: { operation: 'listThings', scope: 'read', handler },
      POST: { operation: 'makeThing', scope: 'webhooks', handler },
    });
    addReadRoute(app, '/things/:id', { operation: 'getThing', scope: 'read', handler });

    const listed = routes.map(({ method, url, scope }) => `${method} ${url} ${scope}`);
    expect(listed).toEqual(['GET /things read', 'POST /things webhooks', 'GET /things/:id read']);
  });

  it.each([
    ['GET /open declares no scope', { operation: 'getOpen' }],
    ['GET /open has no operation for the reference', { scope: 'read' as const }],
  ])('throws if %s', (message, config) => {
    const app = fastify();
    collectRoutes(app);

    expect(() => app.get('/open', { config }, handler)).toThrow(message);
  });
});

describe('printOpenApi', () => {
  it('prints the description of a route', () => {
    expect(printOpenApi(parts)['paths']).toMatchObject({
      '/things/{id}': { get: { operationId: 'getThing', summary: 'A thing' } },
    });
  });

  const [route] = parts.routes as [OpenApiParts['routes'][number]];
  it.each<[string, Partial<OpenApiParts>]>([
    ['getThing has no description', { reference: {} }],
    [
      'getThing accepts the parameters [from], but its description has []',
      { routes: [{ ...route, query: ['from'] }] },
    ],
    [
      'getGhost has a description, but no route',
      { reference: { getThing: description, getGhost: description } },
    ],
    ['getThing is the operation of two routes', { routes: [route, route] }],
  ])('throws if %s', (message, own) => {
    expect(() => printOpenApi({ ...parts, ...own })).toThrow(message);
  });
});
