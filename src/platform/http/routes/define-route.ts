import type { Field, ReadBy } from '../../fields/field.ts';
import type { Schema } from '../../fields/schema.ts';
import { toWire } from '../../fields/to-wire.ts';
import { type ApiErrorName, invalidField } from '../responses/api-errors.ts';
import type { CachePolicy } from '../responses/representation.ts';

/** A parameter in the path, the query or the headers: its field, and the words of the reference. */
export type Parameter<Value = unknown> = {
  readonly field: Field<Value>;
  readonly description: string;
  readonly example?: unknown;
  /** When its 400 is sent; by default `x` is malformed. */
  readonly when?: string;
  /** Its further 400s, for values of its form that do not go with those before it. */
  readonly refusals?: readonly { readonly expected: string; readonly when: string }[];
  /** Whether samples have it although it is optional: without it the request would be refused. */
  readonly isInSamples?: boolean;
};

export type Parameters = { readonly [name: string]: Parameter };

/** What a route gets of its parameters, by their names. */
export type ValuesOf<P extends Parameters> = { readonly [N in keyof P]: ReadBy<P[N]['field']> };

/** What a route gets of its query. */
export type QueryOf<R> = R extends { readonly query?: infer Q extends Parameters }
  ? ValuesOf<Q>
  : never;

/** An error of one route; the reference adds those of every request. */
export type RouteError = {
  readonly error: ApiErrorName;
  /** The condition under which it is sent, as a sentence. */
  readonly when: string;
  /** The text, if the route has its own; an example if `isOneOfMany` is true. */
  readonly text?: string;
  readonly isOneOfMany?: boolean;
  /** Whether the answer says when the request may succeed; answers with 429 and 503 always do. */
  readonly hasRetryAfter?: boolean;
  /** Whether the answer names the dates before and after in a Link header (contract C10). */
  readonly hasLink?: boolean;
};

/** A further 400 of a parameter, for values that are refused for another reason than their form. */
export function refusal(name: string, expected: string, when: string): RouteError {
  return { error: 'invalidField', text: invalidField(name, expected).message, when };
}

/** All possible values of the header, or a pattern for them. */
export type CacheControl =
  | readonly string[]
  | { readonly pattern: string; readonly example: string };

export type RouteAnswer<S = Schema> = {
  /** 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Undefined if the answer has no body, `csv` if it is a file of CSV (contract C36). */
  readonly schema?: S;
  readonly hasLocation?: boolean;
  /** Whether the body is compressed for callers that accept it. */
  readonly isCompressed?: boolean;
  /** Whether a Link header names the known errors of the source, if there are any (rule X2). */
  readonly hasErrataLink?: boolean;
  /** Whether a Link header of the CSV leads to the next page, if there is one; JSON has `nextCursor`. */
  readonly hasNextLink?: boolean;
  /** Whether a Vatfx-Hint header has a remark about the number, if there is one (rule K3). */
  readonly hasHint?: boolean;
  /** Further statuses of a successful request, with the same body and headers. */
  readonly others?: readonly {
    readonly status: 200 | 201 | 202;
    readonly description: string;
    /** Whether the answer says when to read the result. */
    readonly hasRetryAfter?: boolean;
  }[];
} & (
  | {
      /** The policies of a cached route, whose answers have an ETag (contract C9). */
      readonly caching: readonly CachePolicy[];
    }
  | { readonly cacheControl: CacheControl }
);

export type RouteBody<B> = {
  readonly field: Field<B> & { readonly fields?: { readonly [name: string]: Field } };
  readonly example: unknown;
  /** Whether it may be left out; the route then reads `{}`. */
  readonly isOptional?: boolean;
  /** The field whose 400 is the example of those of all fields. */
  readonly refused: string;
};

/** A body whose bytes the handler reads itself (`rawBody`); its 400s are among the errors of the route. */
export type RawRouteBody = {
  readonly schema: Schema;
  readonly example: unknown;
  /** An example of the same body as CSV. */
  readonly csv?: string;
};

/**
 * All that is said about a route, once. What a caller sends is read by it, in this order: path, query, body, headers.
 * `npm run generate` prints it in the reference.
 */
export type RouteDefinition<
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  H extends Parameters = Parameters,
  B = unknown,
  S = Schema | 'csv',
> = {
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * By default `charged`. `limited` requests count against the rate limit only, `free` requests need a key and are not
   * charged, `public` requests need no key.
   */
  readonly access?: 'charged' | 'limited' | 'free' | 'public';
  readonly path?: P;
  readonly query?: Q;
  /** Whether other parameters of the query are ignored, as on the routes of the interface (contract C35). */
  readonly ignoresUnknown?: boolean;
  readonly headers?: H;
  readonly body?: RouteBody<B> | RawRouteBody;
  readonly answer: RouteAnswer<S>;
  /**
   * Its errors, in the order of the reference. The 400s of its parameters and its body are made of their fields and stand
   * before all others; a name puts that of a parameter into a place of its own.
   */
  readonly errors?: readonly (RouteError | string)[];
  /** The columns of the same answer as CSV, if it has a route whose path ends in `.csv`. */
  readonly csv?: string;
  /** Requests whose answers are the examples of the reference; a path that ends in `.csv` is one as CSV. */
  readonly examples?: readonly { readonly path: string; readonly summary: string }[];
};

/** Defines a route. The result knows the types of what callers send and get. */
export function defineRoute<
  P extends Parameters = {},
  Q extends Parameters = {},
  H extends Parameters = {},
  B = undefined,
  const S extends Schema | 'csv' = Schema,
>(definition: RouteDefinition<P, Q, H, B, S>): RouteDefinition<P, Q, H, B, S> {
  return definition;
}

/** The JSON of an answer: the fields of its schema and no other, in their order. */
export function printAnswer<T>(
  { operation, answer }: { readonly operation: string; readonly answer: RouteAnswer<Schema<T>> },
  value: T,
): string {
  if (answer.schema === undefined) throw new Error(`${operation} has no answer in JSON`);
  return JSON.stringify(toWire(answer.schema, value));
}

/** The definition of the same route as CSV. */
export function asCsv<P extends Parameters, Q extends Parameters, H extends Parameters, B>(
  definition: RouteDefinition<P, Q, H, B>,
): RouteDefinition<P, Q, H, B, 'csv'> {
  const { operation, summary, csv, answer, ...rest } = definition;
  if (csv === undefined) throw new Error(`${operation} does not say which columns its CSV has`);
  return {
    ...rest,
    operation: `${operation}Csv`,
    summary: `${summary}, as CSV`,
    description: csv,
    answer: { ...answer, schema: 'csv' },
  };
}
