import type { Schema } from '../../src/platform/fields/schema.ts';
import type { CacheControl, RouteError } from '../../src/platform/http/routes/define-route.ts';

/** A route in the form of the document: all that its definition says by the way in which it reads is said in words. */
export type RouteDescription = {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * By default `charged`. `limited` requests count against the rate limit only, `free` requests need a key and are not
   * charged, `public` requests need no key.
   */
  readonly access?: 'charged' | 'limited' | 'free' | 'public';
  readonly parameters?: readonly ParameterDescription[];
  readonly body?: BodyDescription;
  readonly answer: AnswerDescription;
  /** The errors of this route; errors of every request are added by the generator. */
  readonly errors?: readonly ErrorDescription[];
};

export type ParameterDescription = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly isRequired?: boolean;
  /** Whether samples have it although it is optional: without it the request would be refused. */
  readonly isInSamples?: boolean;
};

export type BodyDescription = {
  readonly schema: Schema;
  readonly example: unknown;
  readonly isRequired: boolean;
  /** An example of the same body as CSV, which the route also reads. */
  readonly csv?: string;
};

export type AnswerDescription = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Undefined if the answer has no body, `csv` if it is a file of CSV (contract C36). */
  readonly schema?: Schema | 'csv';
  readonly cacheControl: CacheControl;
  /** Whether the answer has an ETag, and a request with If-None-Match can get a 304 (contract C9). */
  readonly hasValidator?: boolean;
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
  readonly others?: readonly OtherStatus[];
};

export type OtherStatus = {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  /** Whether the answer says when to read the result. */
  readonly hasRetryAfter?: boolean;
};

export type ErrorDescription = RouteError;
