import type { DescribedRoute } from '../../src/platform/http/routes/described-routes.ts';
import type { CacheControl } from '../../src/platform/http/routes/define-route.ts';
import { describeDefinition } from './from-definition.ts';
import { ifNoneMatch, printHeaders, securitySchemes } from './components.ts';
import { eventHeaders } from './event-headers.ts';
import { ErrorPrinter, errorSchema } from './errors.ts';
import { type Json, SchemaPrinter } from './schemas.ts';
import type { EventDescription } from '../../src/events/event-schemas.ts';
import type {
  AnswerDescription,
  ParameterDescription,
  RouteDescription,
} from './route-description.ts';

/** An example: a real answer of the service. */
export type AnswerExample = {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
};

export type OpenApiParts = {
  readonly info: Json;
  readonly tags: readonly Json[];
  readonly routes: readonly DescribedRoute[];
  readonly events: Readonly<Record<string, EventDescription>>;
  /** By the ids of operations and the types of events. */
  readonly examples: Readonly<Record<string, readonly AnswerExample[]>>;
};

/** Makes the OpenAPI 3.1 document of routes and events. Throws if two routes are one operation. */
export function printOpenApi(parts: OpenApiParts): Json {
  const { info, tags, routes, events, examples } = parts;
  const schemas = new SchemaPrinter();
  const errors = new ErrorPrinter();
  schemas.print(errorSchema);
  const paths: Record<string, Record<string, unknown>> = {};
  const known = new Set<string>();
  for (const { method, url, scope, definition } of routes) {
    const { operation, ignoresUnknown = false } = definition;
    if (known.has(operation)) throw new Error(`${operation} is the operation of two routes`);
    known.add(operation);
    const route = describeDefinition(definition);
    // Public routes ignore their query.
    const isStrict = scope !== null && !ignoresUnknown;
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const printed = printOperation(
      { operation, method, scope, route, isStrict, examples },
      { schemas, errors },
    );
    (paths[path] ??= {})[method.toLowerCase()] = printed;
  }

  const webhooks = Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      { post: printEvent(name, event, { schemas, examples: examples[name] ?? [] }) },
    ]),
  );
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'The service that this document comes from' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: schemas.components,
      parameters: { 'If-None-Match': ifNoneMatch },
      headers: printHeaders(),
      responses: errors.components,
    },
  };
}

type Printers = { readonly schemas: SchemaPrinter; readonly errors: ErrorPrinter };

function printOperation(
  of: {
    readonly operation: string;
    readonly method: string;
    readonly scope: DescribedRoute['scope'];
    readonly route: RouteDescription;
    /** Whether unknown parameters are refused. */
    readonly isStrict: boolean;
    readonly examples: OpenApiParts['examples'];
  },
  { schemas, errors }: Printers,
): Json {
  const { operation, route, isStrict, examples } = of;
  const { tag, summary, description, parameters = [], body, answer } = route;
  const printed = [
    ...parameters.map((one) => printParameter(one, schemas)),
    ...(answer.hasValidator === true ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
  ];
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description === undefined ? undefined : { description }),
    ...(route.access === 'public' ? { security: [] } : undefined),
    ...(printed.length === 0 ? undefined : { parameters: printed }),
    ...(body === undefined
      ? undefined
      : {
          requestBody: {
            required: body.isRequired,
            content: {
              'application/json': { schema: schemas.print(body.schema), example: body.example },
              ...(body.csv === undefined
                ? undefined
                : { 'text/csv': { schema: { type: 'string' }, example: body.csv } }),
            },
          },
        }),
    responses: {
      ...printAnswer(answer, schemas, examples[operation] ?? []),
      ...errors.print(of, route, isStrict),
    },
  };
}

function printParameter(parameter: ParameterDescription, schemas: SchemaPrinter): Json {
  const { name, description, schema, example, isRequired = parameter.in === 'path' } = parameter;
  const isList = (schema as Json)['type'] === 'array';
  return {
    name,
    in: parameter.in,
    required: isRequired,
    description,
    // Separated by commas.
    ...(isList ? { style: 'form', explode: false } : undefined),
    schema: schemas.print(schema),
    ...(example === undefined ? undefined : { example }),
    ...(parameter.isInSamples === true ? { 'x-in-samples': true } : undefined),
  };
}

/** Prints the answer of a successful request, and the 304 if the route has one. */
function printAnswer(
  answer: AnswerDescription,
  schemas: SchemaPrinter,
  examples: readonly AnswerExample[],
): Json {
  const { status, description, schema, hasValidator, hasLocation, others = [] } = answer;
  const { hasErrataLink, hasNextLink, hasHint, isCompressed } = answer;
  const validated = {
    'X-Request-Id': refToHeader('X-Request-Id'),
    'Cache-Control': printCacheControl(answer.cacheControl),
    ...(hasValidator === true ? { ETag: refToHeader('ETag') } : undefined),
    ...(hasErrataLink === true ? { Link: refToHeader('Link-Errata') } : undefined),
    ...(isCompressed === true ? { Vary: refToHeader('Vary') } : undefined),
    ...(hasHint === true ? { 'Vatfx-Hint': refToHeader('Vatfx-Hint') } : undefined),
  };
  const success = {
    description,
    headers: {
      ...validated,
      ...(isCompressed === true
        ? { 'Content-Encoding': refToHeader('Content-Encoding') }
        : undefined),
      ...(hasLocation === true ? { Location: refToHeader('Location') } : undefined),
      ...(schema === 'csv' && hasNextLink === true
        ? { Link: refToHeader('Link-Next') }
        : undefined),
      ...(schema === 'csv'
        ? { 'Content-Disposition': refToHeader('Content-Disposition') }
        : undefined),
    },
    ...(schema === undefined ? undefined : { content: printContent(schema, schemas, examples) }),
  };
  const notModified = {
    description: 'The body that you have is still current.',
    headers: validated,
  };
  const further = others.map((other) => [
    other.status,
    {
      ...success,
      description: other.description,
      headers: {
        ...success.headers,
        ...(other.hasRetryAfter === true
          ? { 'Retry-After': refToHeader('Retry-After') }
          : undefined),
      },
    },
  ]);
  return {
    [status]: success,
    ...Object.fromEntries(further),
    ...(hasValidator === true ? { 304: notModified } : undefined),
  };
}

function printContent(
  schema: NonNullable<AnswerDescription['schema']>,
  schemas: SchemaPrinter,
  examples: readonly AnswerExample[],
): Json {
  const isCsv = schema === 'csv';
  return {
    [isCsv ? 'text/csv' : 'application/json']: {
      schema: isCsv ? { type: 'string' } : schemas.print(schema),
      examples: printExamples(examples),
    },
  };
}

function printExamples(examples: readonly AnswerExample[]): Json {
  return Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }]));
}

function printCacheControl(policy: CacheControl): Json {
  const { pattern, examples } =
    'pattern' in policy
      ? { pattern: policy.pattern, examples: [policy.example] }
      : { pattern: `^(${policy.join('|')})$`, examples: policy };
  return {
    description: 'How long the answer may be cached, and by which caches.',
    required: true,
    schema: { type: 'string', pattern },
    examples: Object.fromEntries(examples.map((value, at) => [`policy${at + 1}`, { value }])),
  };
}

function refToHeader(header: string): Json {
  return { $ref: `#/components/headers/${header}` };
}

/** Prints an event: a request that the service sends to a receiver (Standard Webhooks 1.0). */
function printEvent(
  name: string,
  event: EventDescription,
  of: { readonly schemas: SchemaPrinter; readonly examples: readonly AnswerExample[] },
): Json {
  return {
    operationId: `receive${name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary: event.summary,
    description: event.description,
    security: [],
    parameters: eventHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: of.schemas.print(event.schema),
          examples: printExamples(of.examples),
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The receiver accepted the event. The body of its answer is not read.',
      },
      '410': { description: 'The receiver wants no more events. The subscription is disabled.' },
      default: {
        description:
          'After any other answer, redirects included, or without an answer within 15 seconds, the event is sent again later. A Retry-After is respected up to twice the usual wait. The first 1,024 bytes of such an answer are kept as text in the attempt.',
      },
    },
  };
}
