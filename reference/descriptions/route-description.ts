import type { TSchema } from 'typebox';
import type { ApiErrorName } from '../../src/platform/http/responses/api-errors.ts';

/**
 * The description of a route. The service never loads one, because schemas cost 100 ms and 20 MB at a start: a route
 * has only the id of its operation, and `npm run generate` joins route and description by it.
 */
export type RouteDescription = {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** `charged` if it is left out; `free` needs a key, `public` needs none. */
  readonly access?: 'charged' | 'free' | 'public';
  readonly parameters?: readonly ParameterDescription[];
  readonly body?: BodyDescription;
  readonly answer: AnswerDescription;
  /** The errors of this route; errors of every request are added by the generator. */
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
  /** None if there is no body. */
  readonly schema?: TSchema;
  readonly cacheControl: CacheControl;
  /** Whether it has an ETag, and If-None-Match gives 304 (contract C9). */
  readonly hasValidator?: boolean;
  readonly hasLocation?: boolean;
};

/** All possible values, or their form. */
export type CacheControl =
  | readonly string[]
  | { readonly pattern: string; readonly example: string };

export type ErrorDescription = {
  readonly error: ApiErrorName;
  /** The condition under which it is sent, as a sentence. */
  readonly when: string;
  /** The text, if it is the route's own; an example if `isOneOfMany` is true. */
  readonly text?: string;
  readonly isOneOfMany?: boolean;
  /** Whether it names neighbours in a Link (contract C10). */
  readonly hasLink?: boolean;
};

/** A webhook event. */
export type EventDescription = {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
};
