import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { Document, type Part } from './support/document.ts';

const document = new Document();
const service = shareService();
const number = { countryCode: 'AT', vatNumber: 'U99999901' };

/** A body that is accepted, and the path of each operation that has one. */
const bodies: Readonly<Record<string, readonly [path: string, body: Part]>> = {
  createCheck: ['/vatchecks', { ...number, requester: number, trader: {}, waitSeconds: 0 }],
  createBatch: ['/vatchecks/batch', { checks: [{ ...number, requester: number, trader: {} }] }],
  putWatch: ['/vatwatches/AT/U99999901', { requester: number, trader: {} }],
  createSubscription: ['/webhooks', { url: 'https://198.100.0.1/' }],
  changeSubscription: ['/webhooks/{id}', { status: 'enabled' }],
  rotateSecret: ['/webhooks/{id}/rotate-secret', {}],
};
const operations = document.operations.flatMap(({ id, method, part }) => {
  const body = document.resolve(part['requestBody'] ?? {}) as BodyPart;
  const schema = body.content?.['application/json']?.schema;
  return schema === undefined ? [] : [{ id, method, schema }];
});

type BodyPart = { readonly content?: { readonly 'application/json'?: { readonly schema: Part } } };

/** The same body with null in one field, for each field at any depth that its schema has. */
function* withNull(
  value: unknown,
  part: unknown,
  place = '',
): Generator<readonly [string, unknown]> {
  const schema = document.resolve(part);
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) {
      for (const [name, changed] of withNull(one, schema['items'], `${place}${at}.`)) {
        yield [name, value.with(at, changed)];
      }
    }
    return;
  }
  for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Part)) {
    const own = (value as Part)[name];
    yield [place + name, { ...(value as Part), [name]: null }];
    if (typeof own !== 'object') continue;
    for (const [inner, changed] of withNull(own, field, `${place}${name}.`)) {
      yield [inner, { ...(value as Part), [name]: changed }];
    }
  }
}

describe('a body with null in a field is accepted if openapi.json allows null there, and refused otherwise', () => {
  it('is tried for every operation with a body', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(bodies).toSorted());
  });

  it.each(operations)('by $id', async ({ id, method, schema }) => {
    const [path = '', body = {}] = bodies[id] ?? [];
    const subscriber = await addSubscriber(service());
    const subscription = { url: 'https://198.100.0.1/' };
    const made = await subscriber.done<{ readonly id: string }>('POST', '/webhooks', subscription);
    const tried = await Array.fromAsync(withNull(body, schema), async ([field, changed]) => {
      const { status } = await subscriber.send(method, path.replace('{id}', made.id), changed);
      const isAllowed = document.problems(schema, changed).length === 0;
      return { field, accepted: status < 300, isAllowed };
    });

    expect(tried.length).toBeGreaterThan(0);
    expect(tried.filter(({ accepted, isAllowed }) => accepted !== isAllowed)).toEqual([]);
  });
});
