import { expect, it } from 'vitest';
import { releaseBefore } from '../journeys/support/release-program.ts';
import { Document, type Part } from './support/document.ts';

type Schemas = Readonly<Record<string, unknown>>;

/**
 * The names in a document that programs of callers contain: operations, parameters, statuses, fields, and the values of
 * lists, each with its place, such as `GET /rates 200 application/json.rates{}.country`.
 */
function listNames(document: Document): ReadonlySet<string> {
  const names = new Set<string>();
  const addSchema = (value: unknown, place: string): void => {
    names.add(place);
    const schema = document.resolve(value ?? {});
    for (const one of (schema['enum'] ?? []) as unknown[]) names.add(`${place} = ${String(one)}`);
    for (const [name, one] of Object.entries((schema['properties'] ?? {}) as Schemas)) {
      addSchema(one, `${place}.${name}`);
    }
    for (const kind of ['anyOf', 'oneOf', 'allOf']) {
      for (const one of (schema[kind] ?? []) as unknown[]) addSchema(one, place);
    }
    if (schema['items'] !== undefined) addSchema(schema['items'], `${place}[]`);
    const others = schema['additionalProperties'];
    if (typeof others === 'object') addSchema(others, `${place}{}`);
  };
  const addContent = (value: unknown, place: string): void => {
    const { content = {} } = document.resolve(value) as { readonly content?: Record<string, Part> };
    names.add(place);
    for (const [type, { schema }] of Object.entries(content)) addSchema(schema, `${place} ${type}`);
  };
  for (const { method, path, part } of [...document.operations, ...document.events]) {
    const place = `${method} ${path}`;
    for (const parameter of (part['parameters'] ?? []) as unknown[]) {
      const { in: where, name, schema } = document.resolve(parameter);
      addSchema(schema, `${place} ${String(where)} ${String(name)}`);
    }
    addContent(part['requestBody'] ?? {}, `${place} body`);
    for (const [status, response] of Object.entries(part['responses'] as Schemas)) {
      addContent(response, `${place} ${status}`);
    }
  }
  return names;
}

it(`openapi.json still has every name that callers use of version ${releaseBefore} (docs/support.md)`, () => {
  const earlier = listNames(new Document(`test/releases/${releaseBefore}/openapi.json`));
  const present = listNames(new Document());

  expect(earlier).toContain('GET /rates 200 application/json.rates{}.country');
  expect([...earlier].filter((name) => !present.has(name))).toEqual([]);
});
