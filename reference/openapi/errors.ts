import { object, string } from '../../src/platform/fields/schema.ts';
import {
  ApiError,
  type ApiErrorName,
  scopeMissing,
} from '../../src/platform/http/responses/api-errors.ts';
import type { Json } from './schemas.ts';
import type { DescribedRoute } from '../../src/platform/http/routes/described-routes.ts';
import type { ErrorDescription, RouteDescription } from './route-description.ts';

/** Errors that any request can get from the HTTP parser or the framework. */
const errorsOfEveryRequest: readonly ErrorDescription[] = [
  { error: 'badRequest', when: 'The request is malformed HTTP.' },
  { error: 'requestTimeout', when: 'The request did not arrive in time.' },
  { error: 'urlTooLong', when: 'The URL is longer than 8,192 characters.' },
  { error: 'expectationFailed', when: 'The request has an Expect header that is not supported.' },
  { error: 'headersTooLarge', when: 'The head of the request is larger than 16 KB.' },
  {
    error: 'rateLimited',
    when: 'A limit on requests in a minute is reached, and `RateLimit` names it: the rate limit of the key, ten times as many requests that cost it nothing, or what an address may send without a working key.',
  },
  {
    error: 'internalError',
    when: 'The service has a fault. Its log has the error, with the request id.',
  },
];

const errorsWithKey: readonly ErrorDescription[] = [
  {
    error: 'invalidKey',
    when: 'The key is missing, malformed, unknown, expired or revoked. The answer is the same in each case.',
  },
  { error: 'databaseAway', when: 'The database is unavailable.' },
];

const errorsWithCharge: readonly ErrorDescription[] = [
  { error: 'quotaExceeded', when: 'The quota of the calendar month (UTC) is used up.' },
];

const errorsWithBody: readonly ErrorDescription[] = [
  { error: 'invalidJson', when: 'The body is not JSON in UTF-8.' },
  { error: 'bodyTooLarge', when: 'The body is larger than 64 KB.' },
  {
    error: 'unsupportedCharset',
    when: 'The Content-Type declares another `charset` than UTF-8.',
  },
];

const unknownParameter: ErrorDescription = {
  error: 'unknownParameter',
  text: "unknown parameter 'x'",
  isOneOfMany: true,
  when: 'The query has an unknown parameter.',
};

const unknownField: ErrorDescription = {
  error: 'unknownField',
  text: "unknown field 'x'",
  isOneOfMany: true,
  when: 'The body has an unknown field.',
};

/** The body of every error. The texts of a response are its examples, because generators make identifiers of enums. */
export const errorSchema = object(
  {
    error: string({
      description:
        'The error, as a code or a short text. Programs may compare it with the examples of the response.',
    }),
  },
  { $id: 'Error', description: 'The body of every error.' },
);

/** Errors of unknown paths, and of methods that a path does not have. No operation has them. */
export const errorsOfUnknownRoutes: readonly ErrorDescription[] = [
  {
    error: 'notFound',
    when: 'The path does not exist. A request without a working key gets a 401 instead.',
  },
  {
    error: 'methodNotAllowed',
    when: 'The path does not have this method. `Allow` names its methods.',
  },
];

/** The headers of errors by status, in addition to those of every answer. */
const headersOf: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  422: ['Vatfx-Hint'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** Lists all errors of a route. The errors that only this route has are first. */
export function errorsOf(
  { method, scope }: Pick<DescribedRoute, 'method' | 'scope'>,
  route: RouteDescription,
  isStrict: boolean,
): readonly ErrorDescription[] {
  const { access = 'charged', errors = [] } = route;
  const own = new Set(errors.map(({ error }) => error));
  return [
    ...errors,
    ...(isStrict ? [unknownParameter] : []),
    ...(route.body === undefined ? [] : [unknownField]),
    ...(access === 'public' ? [] : errorsWithKey),
    ...(scope === null
      ? []
      : [{ error: scopeMissing[scope], when: `The key lacks the scope \`${scope}\`.` }]),
    ...(access === 'charged' ? errorsWithCharge : []),
    ...(method === 'GET' ? [] : errorsWithBody.filter(({ error }) => !own.has(error))),
    ...errorsOfEveryRequest,
  ];
}

/**
 * Prints the errors of the document. The errors that several routes have in common are components; if a status has an
 * error that only one route has, all its errors are printed in the route.
 */
export class ErrorPrinter {
  readonly #components = new Map<string, Json>();

  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** By status, ascending. */
  print(
    of: Pick<DescribedRoute, 'method' | 'scope'>,
    route: RouteDescription,
    isStrict: boolean,
  ): Json {
    const byStatus = Object.groupBy(errorsOf(of, route, isStrict), ({ error }) => statusOf(error));
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, errors = []]) => {
        const isOwn = errors.some((error) => route.errors?.includes(error));
        return [status, isOwn ? printErrors(errors) : this.#referTo(errors)];
      }),
    );
  }

  #referTo(errors: readonly ErrorDescription[]): Json {
    // The name lists the errors, so that the same errors are the same component.
    const name = errors.map(({ error }) => capitalize(error)).join('Or');
    if (!this.#components.has(name)) {
      const [{ error } = { error: 'internalError' as const }] = errors;
      this.#components.set(name, { 'x-status': statusOf(error), ...printErrors(errors) });
    }
    return { $ref: `#/components/responses/${name}` };
  }
}

function printErrors(errors: readonly ErrorDescription[]): Json {
  const status = statusOf(errors[0]?.error ?? 'internalError');
  const headers = ['X-Request-Id', ...(headersOf[status] ?? [])];
  const optional = errors.some(({ hasLink }) => hasLink === true) ? ['Link'] : [];
  const hasRetryAfter = errors.some((error) => error.hasRetryAfter === true);
  return {
    description: errors.map((error) => `\`${textOf(error)}\`: ${error.when}`).join('\n\n'),
    headers: {
      'Cache-Control': { $ref: '#/components/headers/No-Store' },
      ...Object.fromEntries(
        [...headers, ...optional].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      ...(hasRetryAfter
        ? { 'Retry-After': { $ref: '#/components/headers/Retry-After-Optional' } }
        : undefined),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          errors.map((error, at) => [
            nameOf(error, errors.slice(0, at)),
            {
              summary: error.when,
              ...(error.isOneOfMany === true ? { description: variableText } : undefined),
              value: { error: textOf(error) },
            },
          ]),
        ),
      },
    },
  };
}

/** Says of an example that other texts of its form occur. */
const variableText =
  'The text names the parameter or field, the line of a file, or the numbers of the request.';

/** A name that no earlier error has: the same error may occur several times with different texts. */
function nameOf(description: ErrorDescription, before: readonly ErrorDescription[]): string {
  const name = baseNameOf(description);
  const same = before.filter((one) => baseNameOf(one) === name).length;
  return same === 0 ? name : `${name}${same + 1}`;
}

function baseNameOf({ error, text = '' }: ErrorDescription): string {
  const field = /'(\w+)'/.exec(text)?.[1];
  return error !== 'invalidField' || field === undefined ? error : `invalid${capitalize(field)}`;
}

/** The text of an error, or an example of it. */
export function textOf({ error, text }: ErrorDescription): string {
  return text ?? new ApiError(error).message;
}

export function statusOf(error: ApiErrorName): number {
  return new ApiError(error).status;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
