import { Type } from 'typebox';
import { malformed, orNull } from './common.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';
import { filterParameters, malformedFilters } from './stored-check-filters.ts';
import { newCheckSchema, storedCheckSchema } from './stored-check-schemas.ts';
import { malformedBody } from './subscriptions.ts';
import { waitSecondsLimits } from '../../src/vat-check/stored/requests/check-request.ts';
import { idempotencyKeyMax } from '../../src/vat-check/stored/requests/idempotency-key.ts';
import { checkPageLimits } from '../../src/vat-check/stored/requests/list-query.ts';

const tag = 'Stored VAT checks';
const cacheControl = ['private, no-store'];

/** The header `Idempotency-Key`; `what` says what a repetition returns. */
export function idempotencyKey(what: string): ParameterDescription {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Up to ${idempotencyKeyMax} printable ASCII characters of your own. A repetition of the request within 24 hours returns the same ${what}.`,
    schema: Type.String({ maxLength: idempotencyKeyMax }),
    example: 'order-1001',
  };
}

export const malformedIdempotencyKey = malformed(
  'Idempotency-Key',
  `1 to ${idempotencyKeyMax} printable ASCII characters`,
  'The header is malformed.',
);

/** The path parameter that names a check. */
export const checkParameter: ParameterDescription = {
  name: 'id',
  in: 'path',
  description: 'The id of a check.',
  schema: Type.String(),
  example: 'vc_019f8d2c6c0000001f3c5e4fb2a1d0c9',
};

/** The 404 for an unknown id, and for an id of another key. */
export const noCheck: ErrorDescription = {
  error: 'notFound',
  when: 'Your key has no check with this id.',
};

const waitSecondsExpected = `a whole number from ${waitSecondsLimits.min} to ${waitSecondsLimits.max}`;

const waitSeconds: ParameterDescription = {
  name: 'waitSeconds',
  in: 'query',
  description: 'How long this request may wait for the end of a pending check.',
  schema: Type.Integer({
    minimum: waitSecondsLimits.min,
    maximum: waitSecondsLimits.max,
    default: 0,
  }),
};

/** The routes of stored checks (rules K4 to K6 and K11). */
export const storedCheckReference: Reference = {
  createCheck: {
    tag,
    summary: 'Create a check',
    description:
      'Queries the registry for this number until it answers: immediately, and after a failure again and again until the check expires. The request itself waits at most `waitSeconds`, and is never 503 because of the registry. With a trader the registry compares it with its own data, and with a requester it gives a consultation number.',
    parameters: [idempotencyKey('check')],
    body: {
      isRequired: true,
      schema: newCheckSchema,
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
      schema: storedCheckSchema,
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
      malformedBody('waitSeconds', waitSecondsExpected),
      malformedIdempotencyKey,
      {
        error: 'requesterNotAllowed',
        when: 'Your key has another requester than the body names.',
      },
      {
        error: 'idempotencyKeyReused',
        when: 'Another body came with this `Idempotency-Key` within 24 hours.',
      },
      {
        error: 'invalidInput',
        when: 'The number, or its country, is one that the registry would refuse.',
      },
    ],
  },
  listChecks: {
    tag,
    summary: 'Your checks',
    access: 'limited',
    description:
      'The newest check is first. Other keys do not see them. A page ends before `limit` if it has 1 MB, or has compared 10,000 checks with several filters: it can have few checks, or none, and a `nextCursor`.',
    parameters: [
      ...filterParameters,
      {
        name: 'limit',
        in: 'query',
        description: `The largest number of checks to return. Values above ${checkPageLimits.max} mean ${checkPageLimits.max}.`,
        schema: Type.Integer({ minimum: 1, default: checkPageLimits.byDefault }),
        example: 20,
      },
    ],
    answer: {
      status: 200,
      description: 'A page of checks.',
      schema: Type.Object(
        {
          checks: Type.Array(storedCheckSchema),
          count: Type.Integer({ minimum: 0, description: 'The number of checks on this page.' }),
          nextCursor: orNull(
            Type.String(),
            'The `cursor` of the next page; null on the last page.',
          ),
        },
        { $id: 'StoredCheckList' },
      ),
      cacheControl,
    },
    errors: [
      ...malformedFilters,
      { error: 'invalidLimit', when: '`limit` is not a positive whole number.' },
    ],
  },
  deleteCheck: {
    tag,
    summary: 'Delete a check',
    access: 'limited',
    description: 'Deletes the check with its evidence and the events about it.',
    parameters: [checkParameter],
    answer: { status: 204, description: 'Deleted.', cacheControl },
    errors: [noCheck],
  },
  getCheck: {
    tag,
    summary: 'One check',
    access: 'limited',
    description: 'With `waitSeconds` the request waits for the end of a pending check.',
    parameters: [checkParameter, waitSeconds],
    answer: { status: 200, description: 'The check.', schema: storedCheckSchema, cacheControl },
    errors: [malformed('waitSeconds', waitSecondsExpected, '`waitSeconds` is malformed.'), noCheck],
  },
};
