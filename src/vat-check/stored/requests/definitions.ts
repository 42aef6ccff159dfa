import { anyText, optional, text } from '../../../platform/fields/field.ts';
import { list, object, string } from '../../../platform/fields/schema.ts';
import { columnsInWords } from '../../../platform/http/routes/csv-routes.ts';
import { defineRoute, type RouteError } from '../../../platform/http/routes/define-route.ts';
import {
  countOf,
  nextCursor,
  waitSecondsParameter,
} from '../../../platform/http/routes/list-parameters.ts';
import { storedCheck } from '../check-schema.ts';
import { checkColumns } from './check-table.ts';
import { idempotencyKeyMax, parseIdempotencyKey } from './idempotency-key.ts';
import { listParameters } from './list-query.ts';
import { newCheck, waitSecondsMax } from './request-fields.ts';

export const tag = 'Stored VAT checks';

/** No cache may store the answers of these routes (rule K5). */
export const cacheControl = ['private, no-store'] as const;

/** The header `Idempotency-Key`; `what` says what a repetition returns. */
export function idempotencyHeader(what: string) {
  return {
    'Idempotency-Key': {
      field: optional(
        text(
          string({ maxLength: idempotencyKeyMax }),
          `1 to ${idempotencyKeyMax} printable ASCII characters`,
          parseIdempotencyKey,
        ),
      ),
      description: `Up to ${idempotencyKeyMax} printable ASCII characters of your own. A repetition of the request within 24 hours returns the same ${what}.`,
      example: 'order-1001',
      when: 'The header is malformed.',
    },
  };
}

/** The id of a check in a path; the handler answers with 404 for one that cannot be an id. */
export const checkInPath = {
  id: {
    field: anyText(string()),
    description: 'The id of a check.',
    example: 'vc_019f8d2c6c0000001f3c5e4fb2a1d0c9',
  },
};

/** The 404 for an unknown id, and for an id of another key. */
export const noCheck: RouteError = {
  error: 'notFound',
  when: 'Your key has no check with this id.',
};

export const createCheck = defineRoute({
  operation: 'createCheck',
  tag,
  summary: 'Create a check',
  description:
    'Queries the registry for this number until it answers: immediately, and after a failure again and again until the check expires. The request itself waits at most `waitSeconds`, and is never 503 because of the registry. With a trader the registry compares it with its own data, and with a requester it gives a consultation number.',
  headers: idempotencyHeader('check'),
  body: {
    field: newCheck,
    refused: 'waitSeconds',
    example: {
      countryCode: 'ES',
      vatNumber: 'ESB99999902',
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: { name: 'Comercio Imaginario SL', postcode: '28001', city: 'Madrid' },
      reference: 'cust_1001',
    },
  },
  answer: {
    status: 201,
    description: 'The check has ended within `waitSeconds`.',
    schema: storedCheck,
    cacheControl,
    hasLocation: true,
    others: [
      {
        status: 200,
        description:
          'An earlier check: of the same `Idempotency-Key`, or not older than `maxAgeSeconds`.',
      },
      {
        status: 202,
        description: 'The check is pending. Read it again later.',
        hasRetryAfter: true,
      },
    ],
  },
  errors: [
    { error: 'requesterNotAllowed', when: 'Your key has another requester than the body names.' },
    {
      error: 'idempotencyKeyReused',
      when: 'Another body came with this `Idempotency-Key` within 24 hours.',
    },
    {
      error: 'invalidInput',
      when: 'The number, or its country, is one that the registry would refuse.',
    },
  ],
});

export const listChecks = defineRoute({
  operation: 'listChecks',
  tag,
  summary: 'Your checks',
  access: 'limited',
  description:
    'The newest check is first. Other keys do not see them. A page ends before `limit` if it has 1 MB, or has compared 10,000 checks with several filters: it can have few checks, or none, and a `nextCursor`.',
  query: listParameters,
  answer: {
    hasNextLink: true,
    description: 'A page of checks.',
    schema: object(
      { checks: list(storedCheck), count: countOf('checks on this page'), nextCursor },
      { $id: 'StoredCheckList' },
    ),
    cacheControl,
  },
  csv: `One row for each check. If more checks follow, the header \`Link\` has the address of the next page, with \`rel="next"\`. Columns: ${columnsInWords(checkColumns)}.`,
});

export const deleteCheck = defineRoute({
  operation: 'deleteCheck',
  tag,
  summary: 'Delete a check',
  access: 'limited',
  description: 'Deletes the check with its evidence and the events about it.',
  path: checkInPath,
  answer: { status: 204, description: 'Deleted.', cacheControl },
  errors: [noCheck],
});

export const getCheck = defineRoute({
  operation: 'getCheck',
  tag,
  summary: 'One check',
  access: 'limited',
  description: 'With `waitSeconds` the request waits for the end of a pending check.',
  path: checkInPath,
  query: {
    waitSeconds: waitSecondsParameter(
      waitSecondsMax,
      'How long this request may wait for the end of a pending check.',
    ),
  },
  answer: { description: 'The check.', schema: storedCheck, cacheControl },
  errors: [noCheck],
});
