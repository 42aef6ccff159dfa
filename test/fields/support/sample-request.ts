import type { Field } from '../../../src/platform/fields/field.ts';
import type { Parameters } from '../../../src/platform/http/routes/define-route.ts';
import type { DescribedRoute } from '../../../src/platform/http/routes/described-routes.ts';
import type { TestRequest } from '../../support/send-request.ts';

/** A request of an operation, before it is written as text. */
export type Sample = {
  readonly method: string;
  /** As the router has it: `/rates/:date`. */
  readonly url: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Undefined for none. */
  readonly body: unknown;
};

const requester = { countryCode: 'NL', vatNumber: '854265259B01' };

/** Bodies that neither query a registry nor look a host up. */
const quick: Readonly<Record<string, object>> = {
  createCheck: { countryCode: 'ZZ', vatNumber: '1', requester },
  putWatch: { requester },
  createSubscription: { url: 'https://198.100.0.1/' },
};

/** The request that the definition itself describes, with the parameters that it needs. */
export function sampleOf({ method, url, definition }: DescribedRoute): Sample {
  const { operation, path = {}, query = {}, body } = definition;
  const needed = Object.entries(query).filter(
    ([, { field, isInSamples = false }]) => field.isOptional !== true || isInSamples,
  );
  return {
    method,
    url,
    path: examplesOf(path),
    query: examplesOf(Object.fromEntries(needed)),
    headers: {},
    body: quick[operation] ?? body?.example,
  };
}

function examplesOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { example }]) => [name, String(example)]),
  );
}

/** The request as it goes over the wire, without a key. */
export function printSample({ method, url, path, query, headers, body }: Sample): TestRequest {
  const printed = url.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return {
    method,
    path: pairs.length === 0 ? printed : `${printed}?${pairs.join('&')}`,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** A field of an operation, by its place and name: `query limit`, `body trader.name`. */
export type Placed = { readonly name: string; readonly field: Field };

export function fieldsOf({ definition }: DescribedRoute): readonly Placed[] {
  const { path = {}, query = {}, headers = {}, body } = definition;
  const of = (place: string, parameters: Parameters): Placed[] =>
    Object.entries(parameters).map(([name, { field }]) => ({ name: `${place} ${name}`, field }));
  return [
    ...of('path', path),
    ...of('query', query),
    ...of('header', headers),
    ...(body !== undefined && 'field' in body ? fieldsIn('body', body.field) : []),
  ];
}

function fieldsIn(name: string, field: Placed['field']): readonly Placed[] {
  const { fields = {} } = field as { readonly fields?: Readonly<Record<string, Field>> };
  const inner = Object.entries(fields).flatMap(([one, of]) =>
    fieldsIn(name === 'body' ? `body ${one}` : `${name}.${one}`, of),
  );
  return [{ name, field }, ...inner];
}

/** The sample with a value in the place of a field. */
export function withValue(sample: Sample, place: string, value: unknown): Sample {
  const [part = '', name = ''] = place.split(' ');
  if (part === 'body') return { ...sample, body: put(sample.body, name, value) };
  const key = part === 'header' ? 'headers' : (part as 'path' | 'query');
  return { ...sample, [key]: { ...sample[key], [name]: value } };
}

function put(body: unknown, path: string, value: unknown): unknown {
  if (path === '') return value;
  const [first = '', ...rest] = path.split('.');
  const object = (body ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [first]: put(object[first], rest.join('.'), value) };
}
