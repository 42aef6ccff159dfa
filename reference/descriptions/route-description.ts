import type { TSchema } from 'typebox';
import type { ApiErrorName } from '../../src/platform/http/responses/api-errors.ts';

/**
 * What the reference says of a route. The running service never loads one: schemas cost 100 ms and 20 MB at
 * a start, so a route carries only the id of its operation, and `npm run generate` joins the two.
 */
export type RouteDescription = {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** How it is paid for: `charged` unless told otherwise; `public` needs no key at all. */
  readonly access?: 'charged' | 'free' | 'public';
  readonly parameters?: readonly ParameterDescription[];
  readonly body?: BodyDescription;
  readonly answer: AnswerDescription;
  /** Those that are this route's own; what any request may be answered is added. */
  readonly errors?: readonly ErrorDescription[];
};

/** The descriptions of a feature, by the ids of its operations. */
export type Reference = Readonly<Record<string, RouteDescription>>;

export type ParameterDescription = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: unknown;
  readonly isRequired?: boolean;
};

export type BodyDescription = {
  readonly schema: TSchema;
  readonly example: unknown;
  readonly isRequired: boolean;
};

export type AnswerDescription = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** None where there is no body. */
  readonly schema?: TSchema;
  readonly cacheControl: CacheControl;
  /** Whether it has an ETag, and If-None-Match gives 304 (contract C9). */
  readonly hasValidator?: boolean;
  readonly hasLocation?: boolean;
};

/** The values that there are, or the form that they have. */
export type CacheControl =
  | readonly string[]
  | { readonly pattern: string; readonly example: string };

export type ErrorDescription = {
  readonly error: ApiErrorName;
  /** What has happened, as a sentence. */
  readonly when: string;
  /** Where the registry leaves it to the route; with `isOneOfMany` only an example. */
  readonly text?: string;
  readonly isOneOfMany?: boolean;
  /** Whether it names neighbours in a Link (contract C10). */
  readonly hasLink?: boolean;
};

/** What is sent to subscribers. */
export type EventDescription = {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
};
