import {
  type Parameters,
  refusal,
  type RouteBody,
  type RouteDefinition,
} from '../../src/platform/http/routes/define-route.ts';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type {
  AnswerDescription,
  BodyDescription,
  ErrorDescription,
  ParameterDescription,
  RouteDescription,
} from './route-description.ts';

/** The description of a route that is defined beside its handler. */
export function describeDefinition(definition: RouteDefinition): RouteDescription {
  const { tag, summary, description, access, body, answer } = definition;
  return {
    tag,
    summary,
    ...(description !== undefined && { description }),
    ...(access !== undefined && { access }),
    parameters: parametersOf(definition),
    ...(body !== undefined && { body: describeBody(body) }),
    answer: describeAnswer(answer),
    errors: errorsOf(definition),
  };
}

function parametersOf({ path, headers, query }: RouteDefinition): ParameterDescription[] {
  const of = (place: ParameterDescription['in'], parameters: Parameters = {}) =>
    Object.entries(parameters).map(([name, { field, ...words }]) => ({
      ...words,
      name,
      in: place,
      schema: field.schema,
      ...(place === 'query' && { isRequired: field.isOptional !== true }),
    }));
  return [...of('path', path), ...of('header', headers), ...of('query', query)];
}

function describeBody(body: NonNullable<RouteDefinition['body']>): BodyDescription {
  if (!('field' in body)) return { ...body, isRequired: true };
  const { field, example, isOptional = false } = body;
  return { schema: field.schema, example, isRequired: !isOptional };
}

function describeAnswer({ status = 200, ...answer }: RouteDefinition['answer']): AnswerDescription {
  if (!('caching' in answer)) return { ...answer, status };
  const { caching, ...rest } = answer;
  const cacheControl = caching.map((policy) => cachePolicies[policy]);
  return { ...rest, status, cacheControl, hasValidator: true };
}

/** The 400s of what a caller sends and the errors of the route, in its order. */
function errorsOf({ operation, path, query, headers, body, errors = [] }: RouteDefinition) {
  const ofParameters: Record<string, readonly ErrorDescription[]> = {
    ...refusalsOf(path),
    ...refusalsOf(query),
    ...(body !== undefined && 'field' in body && { body: [refusalOfBody(operation, body)] }),
    ...refusalsOf(headers),
  };
  const placed = errors.filter((one) => typeof one === 'string');
  const first = Object.keys(ofParameters).filter((name) => !placed.includes(name));
  return [...first, ...errors].flatMap((one): readonly ErrorDescription[] => {
    if (typeof one !== 'string') return [one];
    const refused = ofParameters[one];
    if (refused === undefined) throw new Error(`${operation} has no parameter ${one} to refuse`);
    return refused;
  });
}

/** The 400s of each parameter that refuses something. */
function refusalsOf(parameters: Parameters = {}): Record<string, readonly ErrorDescription[]> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const { field, when = `\`${name}\` is malformed.`, refusals = [] } = parameter;
      const all = [{ expected: field.expected, when }, ...refusals];
      if (field.expected === '') return [];
      return [[name, all.map((one) => refusal(name, one.expected, one.when))]];
    }),
  );
}

/** The 400 of a body. Its text names the wrong field, so the documented text is an example. */
function refusalOfBody(
  operation: string,
  { field, refused }: RouteBody<unknown>,
): ErrorDescription {
  const example = field.fields?.[refused];
  if (example === undefined) throw new Error(`the body of ${operation} has no field ${refused}`);
  const when = 'A field is malformed, or the body has an unknown one.';
  return { ...refusal(refused, example.expected, when), isOneOfMany: true };
}
