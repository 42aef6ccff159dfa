import { fastify } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { RouteDescription } from '../../reference/descriptions/route-description.ts';
import { type OpenApiParts, printOpenApi } from '../../reference/openapi/openapi.ts';
import { SchemaPrinter } from '../../reference/openapi/schemas.ts';
import { collectRoutes } from '../../src/platform/http/routes/described-routes.ts';
import { addPublicRoute, addReadRoute, addRoutes } from '../../src/platform/http/routes/routes.ts';

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

    expect(routes).toEqual([
      { method: 'GET', url: '/things', operation: 'listThings', scope: 'read', query: [] },
      { method: 'POST', url: '/things', operation: 'makeThing', scope: 'webhooks', query: [] },
      { method: 'GET', url: '/things/:id', operation: 'getThing', scope: 'read', query: [] },
    ]);
  });

  it('leaves out routes without an operation', () => {
    const app = fastify();
    const routes = collectRoutes(app);

    addPublicRoute(app, '/page', { operation: null, handler });

    expect(routes).toEqual([]);
  });

  it('throws for a route that declares no scope', () => {
    const app = fastify();
    collectRoutes(app);

    expect(() => app.get('/open', { config: { operation: 'getOpen' } }, handler)).toThrow(
      'GET /open declares no scope',
    );
  });

  it('throws for a route that declares no operation', () => {
    const app = fastify();
    collectRoutes(app);

    expect(() => app.get('/forgotten', { config: { scope: 'read' } }, handler)).toThrow(
      'GET /forgotten has no operation for the reference',
    );
  });
});

describe('printOpenApi', () => {
  it('prints the description of a route', () => {
    expect(printOpenApi(parts)['paths']).toMatchObject({
      '/things/{id}': { get: { operationId: 'getThing', summary: 'A thing' } },
    });
  });

  it('throws for a route without a description', () => {
    expect(() => printOpenApi({ ...parts, reference: {} })).toThrow('getThing has no description');
  });

  it('throws for a route whose parameters are not those of its description', () => {
    const routes = parts.routes.map((route) => ({ ...route, query: ['from'] }));

    expect(() => printOpenApi({ ...parts, routes })).toThrow(
      'getThing accepts the parameters [from], but its description has []',
    );
  });

  it('throws for a description without a route', () => {
    const reference = { getThing: description, getGhost: description };

    expect(() => printOpenApi({ ...parts, reference })).toThrow(
      'getGhost has a description, but no route',
    );
  });

  it('throws for two routes with one id', () => {
    const routes = [...parts.routes, ...parts.routes];

    expect(() => printOpenApi({ ...parts, routes })).toThrow(
      'getThing is the operation of two routes',
    );
  });
});

describe('SchemaPrinter', () => {
  it('keeps a schema with an id once, and refers to it from every place', () => {
    const printer = new SchemaPrinter();
    const thing = Type.Object({ name: Type.String() }, { $id: 'Thing' });

    const printed = printer.print(Type.Object({ one: thing, more: Type.Array(thing) }));

    const reference = { $ref: '#/components/schemas/Thing' };
    expect(printed).toMatchObject({ properties: { one: reference, more: { items: reference } } });
    expect(Object.keys(printer.components)).toEqual(['Thing']);
  });

  it('throws for two schemas with one id', () => {
    const printer = new SchemaPrinter();
    printer.print(Type.String({ $id: 'Thing' }));

    expect(() => printer.print(Type.Number({ $id: 'Thing' }))).toThrow(
      'two schemas are named Thing',
    );
  });

  it.each([
    [
      'a schema that may be null',
      Type.Union([Type.Number(), Type.Null()]),
      { type: ['number', 'null'] },
    ],
    [
      'a list of texts that may be null',
      Type.Union([Type.Enum(['a', 'b']), Type.Null()]),
      { type: ['string', 'null'], enum: ['a', 'b', null] },
    ],
    ['a list of texts', Type.Enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'an object by name',
      Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), Type.Number()),
      {
        type: 'object',
        propertyNames: { pattern: '^[A-Z]{2}$' },
        additionalProperties: { type: 'number' },
      },
    ],
  ])('prints %s as tools read it best', (_, schema, expected) => {
    expect(new SchemaPrinter().print(schema)).toEqual(expected);
  });
});
