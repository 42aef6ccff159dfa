import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type OpenApiParts, printOpenApi } from '../../reference/openapi/openapi.ts';
import { defineRoute } from '../../src/platform/http/routes/define-route.ts';
import { collectRoutes } from '../../src/platform/http/routes/described-routes.ts';
import { addReadRoute, addRoutes } from '../../src/platform/http/routes/routes.ts';

const handler = (): string => 'ok';
const definition = defineRoute({
  operation: 'getThing',
  tag: 'Things',
  summary: 'A thing',
  answer: { description: 'It.', cacheControl: ['no-store'] },
});
const route = { method: 'GET', url: '/things/:id', scope: 'read', definition } as const;
const parts: OpenApiParts = { info: {}, tags: [], routes: [route], events: {}, examples: {} };

describe('collectRoutes', () => {
  it('lists the methods of a path, without HEAD and methods that are refused', () => {
    const app = fastify();
    const routes = collectRoutes(app);

    addRoutes(app, '/things', {
      GET: { definition, scope: 'read', handler },
      POST: { definition, scope: 'webhooks', handler },
    });
    addReadRoute(app, '/things/:id', { definition, scope: 'read', handler });
    addReadRoute(app, '/favicon', { definition: null, scope: 'read', handler });

    const listed = routes.map(({ method, url, scope }) => `${method} ${url} ${scope}`);
    expect(listed).toEqual(['GET /things read', 'POST /things webhooks', 'GET /things/:id read']);
  });

  it.each([
    ['GET /open declares no scope', { definition }],
    ['GET /open has no definition for the reference', { scope: 'read' as const }],
  ])('throws if %s', (message, config) => {
    const app = fastify();
    collectRoutes(app);

    expect(() => app.get('/open', { config }, handler)).toThrow(message);
  });
});

describe('printOpenApi', () => {
  it('prints the definition of a route', () => {
    expect(printOpenApi(parts)['paths']).toMatchObject({
      '/things/{id}': { get: { operationId: 'getThing', summary: 'A thing' } },
    });
  });

  it('throws if an operation is that of two routes', () => {
    const routes = [route, route];

    expect(() => printOpenApi({ ...parts, routes })).toThrow(
      'getThing is the operation of two routes',
    );
  });
});
