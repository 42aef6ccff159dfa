import type { TSchema } from 'typebox';
import type { Schema } from '../../src/platform/fields/schema.ts';
import type { CacheControl, RouteError } from '../../src/platform/http/routes/define-route.ts';

/**
 * How a description becomes a definition (`defineRoute`), one feature for each commit. Models: `src/rates/definitions.ts`
 * (query, path, CSV, examples), `src/vat-check/stored/requests/` (body, headers, list), `src/access/routes.ts` (no parameters).
 *
 * 1. Write `definitions.ts` in the folder of the routes. Schemas come from `platform/fields/schema.ts`; a number with exact
 *    digits is `decimal`. Shared: `fields/dates.ts`, `http/routes/date-parameters.ts`, `list-parameters.ts`. More than 300
 *    lines: the schemas of answers go to `schemas.ts`.
 * 2. Each parameter and each field of a body is a field: its schema, the words behind "expected" in its 400, its parser. What
 *    depends on an earlier value is read with `refined` and `at.before`; values that do not go together are judged by the second
 *    argument of `readAs`, and documented with `refusal` in `errors`. A name in `errors` moves the 400 of that parameter there.
 *    A part of a path that the handler looks up after the charge is `anyText`: a 404 stays after the charge.
 * 3. The route has `...readAs(definition)` in place of `operation`, `query` and `read`; `printAnswer` prints an answer with the
 *    fields of its schema, in its order. `addWithCsv` makes the definition of the CSV by `csv`, which takes the names of the
 *    columns from the table. A body whose bytes the handler reads has `{ schema, example, csv }`.
 * 4. The requests of examples move from `reference/examples.ts` to `examples`, unless they need more than a GET.
 * 5. The description goes, with its lines in `reference/document.ts`; so do readers without a user. A description
 *    that still uses a converted schema imports it; only the key of `Type.Record` must be one of `Type`.
 * 6. `node scripts/generate-docs.ts --check` must say nothing: `openapi.json` stays the same byte for byte. Tests of values stay,
 *    and read by `readAs(definition).read`.
 */

/**
 * The description of a route. The service never loads descriptions, because their schemas cost 100 ms and 20 MB at a
 * start. A route has only the id of its operation, by which `npm run generate` finds the description.
 */
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

/** The descriptions of a feature, by the ids of its operations. */
export type Reference = Readonly<Record<string, RouteDescription>>;

export type ParameterDescription = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: TSchema | Schema;
  readonly example?: unknown;
  readonly isRequired?: boolean;
  /** Whether samples have it although it is optional: without it the request would be refused. */
  readonly isInSamples?: boolean;
};

export type BodyDescription = {
  readonly schema: TSchema | Schema;
  readonly example: unknown;
  readonly isRequired: boolean;
  /** An example of the same body as CSV, which the route also reads. */
  readonly csv?: string;
};

export type AnswerDescription = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Undefined if the answer has no body, `csv` if it is a file of CSV (contract C36). */
  readonly schema?: TSchema | Schema | 'csv';
  readonly cacheControl: CacheControl;
  /** Whether the answer has an ETag, and a request with If-None-Match can get a 304 (contract C9). */
  readonly hasValidator?: boolean;
  readonly hasLocation?: boolean;
  /** Whether the body is compressed for callers that accept it. */
  readonly isCompressed?: boolean;
  /** Whether a Link header names the known errors of the source, if there are any (rule X2). */
  readonly hasErrataLink?: boolean;
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

/** A webhook event. */
export type EventDescription = {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
};
