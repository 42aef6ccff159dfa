import { type Form, type Place, refuse } from '../../fields/field.ts';
import { invalidField, unknownField } from '../responses/api-errors.ts';
import type { Parameters, RouteDefinition, ValuesOf } from './define-route.ts';
import type { KnownQuery } from './strict-query.ts';

/** The parts of a request that a route reads. */
type Sent = {
  readonly params: unknown;
  readonly query: unknown;
  readonly body?: unknown;
  readonly raw?: {
    readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  };
};

/** What a route gets of a request: its parameters by name, and its body. */
export type Read<
  P extends Parameters,
  Q extends Parameters,
  H extends Parameters,
  B,
> = ValuesOf<P> & ValuesOf<Q> & ValuesOf<H> & { readonly body: B };

/** What a route gets of a request, by its definition. */
export type ReadBy<R> =
  R extends RouteDefinition<infer P, infer Q, infer H, infer B> ? Read<P, Q, H, B> : never;

type Values = Readonly<Record<string, unknown>>;

/** What an app has to know of a defined route, apart from its reader. */
export function definedAs(definition: RouteDefinition): {
  readonly query: KnownQuery;
  readonly definition: RouteDefinition;
} {
  const { query = {}, ignoresUnknown = false } = definition;
  return { query: ignoresUnknown ? 'ignoresUnknown' : Object.keys(query), definition };
}

/**
 * The same with its reader, which throws the 400 for the first value that is malformed. `judge` makes of the values what the
 * handler needs, and may refuse values that do not go together.
 */
export function readAs<P extends Parameters, Q extends Parameters, H extends Parameters, B, S>(
  definition: RouteDefinition<P, Q, H, B, S>,
): ReturnType<typeof definedAs> & { readonly read: (request: Sent) => Read<P, Q, H, B> };
export function readAs<
  P extends Parameters,
  Q extends Parameters,
  H extends Parameters,
  B,
  S,
  Wanted,
  Request extends Sent,
>(
  definition: RouteDefinition<P, Q, H, B, S>,
  judge: (read: NoInfer<Read<P, Q, H, B>>, request: Request) => Wanted,
): ReturnType<typeof definedAs> & { readonly read: (request: Request) => Wanted };
export function readAs(
  definition: RouteDefinition,
  judge: (read: never, request: Sent) => unknown = (read) => read,
) {
  return {
    ...definedAs(definition),
    read: (request: Sent) => judge(readRequest(definition, request) as never, request),
  };
}

function readRequest({ path, query, headers, body }: RouteDefinition, request: Sent): Values {
  const read: Record<string, unknown> = {};
  const sentHeader = (name: string): unknown => {
    const sent = request.raw?.headersDistinct[name.toLowerCase()];
    return sent?.length === 1 ? sent[0] : sent;
  };
  readParameters(read, path, (name) => (request.params as Values)[name]);
  readParameters(read, query, (name) => (request.query as Values)[name]);
  if (body !== undefined && 'field' in body) {
    const sent = request.body === undefined && body.isOptional === true ? {} : request.body;
    read['body'] = readField(body.field, sent);
  }
  readParameters(read, headers, sentHeader);
  return read;
}

/** Adds the values of parameters. One that is empty or given twice is malformed (contract C6). */
function readParameters(
  read: Record<string, unknown>,
  parameters: Parameters = {},
  sent: (name: string) => unknown,
): void {
  for (const [name, { field }] of Object.entries(parameters)) {
    const given = sent(name);
    const at = { path: name, before: read, refuse: refuseWith400 };
    if (given === '' && field.expected !== '') refuse(at, field.expected);
    read[name] = field.read(given, at);
  }
}

/** Reads a value, or throws the 400. */
export function readField<Value>(
  field: Form<Value>,
  given: unknown,
  { path = '', nameOf }: { readonly path?: string; readonly nameOf?: NameOf } = {},
): Value {
  return field.read(given, { path, before: {}, refuse: refuseAs(nameOf) }) as Value;
}

const refuseWith400 = refuseAs();

/** The name of a place in errors, if it is not its path: `checks[3].trader.name`. Without a path, that of the whole object. */
export type NameOf = (path?: string) => string;

function refuseAs(nameOf: NameOf = (path = 'body') => path): Place['refuse'] {
  return (path, problem) => {
    // An empty path is the whole object, and that of an unknown field without a name.
    throw problem.kind === 'unknown'
      ? unknownField(nameOf(path))
      : invalidField(nameOf(path || undefined), problem.expected);
  };
}
