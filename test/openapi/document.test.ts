import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printReferencePage } from '../../reference/page/page.ts';
import { World } from '../../reference/world.ts';
import {
  ApiError,
  type ApiErrorName,
  apiErrorNames,
} from '../../src/platform/http/responses/api-errors.ts';
import { Document, type Operation, type Part } from './support/document.ts';

const document = new Document();
const parts = new AsyncDisposableStack();
let world: World;
beforeAll(async () => {
  world = parts.use(await World.start());
});
afterAll(async () => parts.disposeAsync());

describe('openapi.json', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();

    const { valid, errors } = await validator.validate(structuredClone(document.whole));

    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
  });

  it('is the source of reference.html', () => {
    expect(printReferencePage(document.whole)).toBe(readFileSync('reference.html', 'utf8'));
  });

  it('has every route of the service and nothing else', () => {
    const routes = world.service.routes.map(
      ({ method, url, definition: { operation } }) =>
        `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')} ${operation}`,
    );
    const documented = document.operations.map(({ method, path, id }) => `${method} ${path} ${id}`);

    expect(new Set(documented)).toEqual(new Set(routes));
    expect(documented).toHaveLength(routes.length);
  });

  it('has a maximum for every text and list of every JSON body', () => {
    const unlimited = document.operations.flatMap(({ id, part }) => {
      const body = document.resolve(part['requestBody'] ?? {}) as BodyPart;
      const schema = body.content?.['application/json']?.schema;
      return schema === undefined ? [] : listUnlimited(schema, id);
    });

    expect(unlimited).toEqual([]);
  });

  it('names each operation once', () => {
    const ids = [...document.operations, ...document.events].map(({ id }) => id);

    expect(ids).toEqual([...new Set(ids)]);
  });

  it('describes the parameters of each path', () => {
    const described = document.operations.map(({ path, part }) => [
      path,
      parametersOf(part).flatMap((one) => (one['in'] === 'path' ? [one['name']] : [])),
    ]);

    expect(described).toEqual(
      document.operations.map(({ path }) => [
        path,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ]),
    );
  });

  it('requires a key for every operation except public ones', () => {
    expect(document.whole['security']).toEqual([{ apiKey: [] }]);
    expect(
      document.operations.filter(({ part }) => part['security'] !== undefined).map(({ id }) => id),
    ).toEqual(['listEvidenceKeys', 'getOpenApi']);
  });

  it('uses every component that it has', () => {
    const text = JSON.stringify(document.whole);
    const components = document.whole['components'] as Readonly<Record<string, Part>>;
    const names = ['schemas', 'headers', 'parameters', 'responses'].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `"#/components/${kind}/${name}"`),
    );

    expect(names.filter((name) => !text.includes(`"$ref":${name}`))).toEqual([]);
  });

  it('has enums of codes only, because generators make identifiers of them', () => {
    const values = valuesOf('enum', document.whole).flatMap((one) => one as readonly unknown[]);
    const constants = valuesOf('const', document.whole);
    const isCode = (one: unknown): boolean => /^"?[\w.-]+"?$/.test(JSON.stringify(one));

    expect(values.length).toBeGreaterThan(20);
    expect([...values, ...constants].filter((one) => !isCode(one))).toEqual([]);
  });

  it('writes a list of values, null among them, as one enum', () => {
    const unions = valuesOf('anyOf', document.whole) as readonly (readonly Part[])[];
    const nullable = valuesOf('enum', document.whole).filter((one) =>
      (one as readonly unknown[]).includes(null),
    );

    expect(nullable.length).toBeGreaterThan(2);
    const isValue = (one: Part): boolean => 'const' in one || 'enum' in one;
    expect(unions.filter((parts) => parts.some(isValue))).toEqual([]);
  });

  it('has one schema for the body of every error', () => {
    const responses = document.operations.flatMap(({ part }) =>
      Object.entries(part['responses'] as Part),
    );
    const schemas = responses
      .filter(([status]) => Number(status) >= 400)
      .map(([, one]) => (document.resolve(one)['content'] as Part)['application/json'] as Part)
      .map(({ schema }) => schema);

    expect(schemas.length).toBeGreaterThan(100);
    expect(schemas.filter((one) => (one as Part)['$ref'] !== '#/components/schemas/Error')).toEqual(
      [],
    );
  });
});

describe('the errors of openapi.json (interface 7, contract C2)', () => {
  it.each(apiErrorNames)('have %s with its status and text', (name) => {
    const { status, message } = new ApiError(name);
    // The text differs by route, and is checked with real answers.
    const texts: { readonly [Name in ApiErrorName]?: string } = {
      invalidField: "invalid 'url' — expected an https URL",
      unknownParameter: "unknown parameter 'x'",
      unknownField: "unknown field 'x'",
      batchTooLarge: 'batch needs 6 requests, the key has 5 a minute',
    };
    const text = texts[name] ?? message;

    expect(documentedErrors()).toContain(`${status} ${text}`);
  });
});

describe('an example of openapi.json', () => {
  it.each([...document.operations, ...document.events])('of $id fits its schema', ({ part }) => {
    for (const { schema, value } of examplesOf(part)) {
      expect([value, document.problems(schema, value)]).toEqual([value, []]);
    }
  });

  it.each(document.operations.filter(hasAnswerBody))(
    'exists for each answer of $id',
    ({ part }) => {
      const [, answer] = Object.entries(part['responses'] as Part)[0] ?? [];

      expect(contentExamples(document.resolve(answer))).not.toEqual([]);
    },
  );

  it.each(document.events)('exists for $id', ({ part }) => {
    expect(contentExamples(part['requestBody'] as Part)).not.toEqual([]);
  });

  it('contains no address or path of the machine that made it', () => {
    expect(JSON.stringify(document.whole)).not.toMatch(/127\.0\.0\.1|localhost|"\/(tmp|home|root)/);
  });
});

/** All values of a keyword within a part. */
function valuesOf(keyword: string, within: unknown): readonly unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => [
    ...(name === keyword ? [value] : []),
    ...valuesOf(keyword, value),
  ]);
}

type Example = { readonly schema: unknown; readonly value: unknown };

function parametersOf(part: Part): readonly Part[] {
  return ((part['parameters'] ?? []) as readonly unknown[]).map((one) => document.resolve(one));
}

function examplesOf(part: Part): readonly Example[] {
  const given = parametersOf(part).filter(({ example }) => example !== undefined);
  return [
    ...given.map(({ schema, example }) => ({ schema, value: example })),
    ...contentExamples(part['requestBody'] ?? {}),
    ...Object.values(part['responses'] as Part).flatMap((one) =>
      contentExamples(document.resolve(one)),
    ),
  ];
}

function contentExamples(of: Part): readonly Example[] {
  const [content] = Object.values((of['content'] ?? {}) as Part) as (Part | undefined)[];
  if (content === undefined) return [];
  const { schema, example, examples = {} } = content;
  const values = Object.values(examples as Part).map((one) => (one as Part)['value']);
  return [...(example === undefined ? [] : [example]), ...values].map((value) => ({
    schema,
    value,
  }));
}

/** The operation that answers the document, which would have to contain itself as an example. */
function hasAnswerBody({ id }: Operation): boolean {
  return !['removeSubscription', 'deleteCheck', 'deleteWatch', 'getOpenApi'].includes(id);
}

/** An error in the form `404 not found`. */
function documentedErrors(): readonly string[] {
  const { responses } = document.whole['components'] as { readonly responses: Part };
  const common = Object.values(responses).map((one) => [(one as Part)['x-status'], one]);
  const own = document.operations.flatMap(({ part }) => Object.entries(part['responses'] as Part));
  const unknown = Object.entries(document.unknownRouteResponses);
  return [...common, ...own, ...unknown]
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) =>
      contentExamples(document.resolve(answer)).map(
        ({ value }) => `${String(status)} ${(value as { readonly error: string }).error}`,
      ),
    );
}

type BodyPart = { readonly content?: Readonly<Record<string, { readonly schema: Part }>> };

/** The texts and lists of a schema that have no maximum, by their paths. */
function listUnlimited(given: Part, path: string): string[] {
  const schema = document.resolve(given);
  const types = [schema['type']].flat();
  const isText =
    types.includes('string') && !hasAny(schema, 'maxLength', 'enum', 'format', 'const');
  const isList = types.includes('array') && !hasAny(schema, 'maxItems');
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, Part>>;
    readonly items?: Part;
    readonly anyOf?: readonly Part[];
  };
  return [
    ...(isText || isList ? [path] : []),
    ...Object.entries(properties).flatMap(([name, one]) => listUnlimited(one, `${path}.${name}`)),
    ...(items === undefined ? [] : listUnlimited(items, `${path}[]`)),
    ...anyOf.flatMap((one) => listUnlimited(one, path)),
  ];
}

function hasAny(schema: Part, ...names: readonly string[]): boolean {
  return names.some((name) => name in schema);
}
