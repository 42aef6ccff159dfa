import { type TSchema, Type } from 'typebox';
import { instantSchema, malformed, orNull, withDescription } from './common.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';
import { malformedBody } from './subscriptions.ts';
import {
  expiresInHoursLimits,
  maxAgeSecondsLimits,
  waitSecondsLimits,
} from '../../src/vat-check/stored/check-request.ts';
import { idempotencyKeyMax } from '../../src/vat-check/stored/idempotency-key.ts';
import { referenceMax } from '../../src/vat-check/stored/request-fields.ts';
import { traderTextMax } from '../../src/vat-check/trader.ts';

const tag = 'Stored VAT checks';
const cacheControl = ['private, no-store'];
const statuses = ['pending', 'answered', 'rejected', 'expired'];

const countryCode = Type.String({
  description: 'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI.',
});
const vatNumber = Type.String({
  description: 'The number; blanks, dots, hyphens and the letters of its country are ignored.',
});
const requesterFields = { countryCode, vatNumber };

/** Fields of a trader, each with the same schema. */
function traderFields<T extends TSchema>(of: T) {
  return { name: of, street: of, postcode: of, city: of, companyType: of };
}

const traderText = Type.Optional(orNull(Type.String({ maxLength: traderTextMax })));
const newTrader = Type.Object(traderFields(traderText), {
  additionalProperties: false,
  description:
    'What your customer claims, which the registry compares with its own data. `companyType` is such as `DE-1`.',
});

/** The body of a new check, without `waitSeconds`. */
export const newCheckFields = {
  countryCode,
  vatNumber,
  requester: Type.Optional(
    orNull(
      Type.Object(requesterFields, { additionalProperties: false }),
      'The number on whose behalf the registry is queried; needed for a consultation number. By default that of your key, then that of the service.',
    ),
  ),
  trader: Type.Optional(orNull(newTrader)),
  maxAgeSeconds: wholeNumber(
    maxAgeSecondsLimits,
    'An answered check of your key with the same number, requester and trader that is at most this old is returned instead of a new one.',
  ),
  expiresInHours: wholeNumber(expiresInHoursLimits, 'How long the check may stay pending.'),
  reference: Type.Optional(
    orNull(Type.String({ maxLength: referenceMax }), 'A text of your own, such as an order.'),
  ),
};

const newCheck = Type.Object(
  {
    ...newCheckFields,
    waitSeconds: wholeNumber(waitSecondsLimits, 'How long this request may wait for the registry.'),
  },
  { $id: 'NewStoredCheck', additionalProperties: false },
);

const text = orNull(Type.String());
const match = orNull(Type.String({ pattern: '^(valid|invalid|not processed)$' }));

/** A stored check, in answers and in events. */
export const storedCheckSchema = Type.Object(
  {
    id: Type.String({ pattern: '^vc_[0-9a-f]{32}$' }),
    status: Type.Enum(statuses, {
      description:
        'It changes once: from pending to answered, to rejected if the registry refuses the number or the requester, or to expired.',
    }),
    countryCode: Type.String({ description: 'The country as you sent it.' }),
    vatNumber: Type.String({ description: 'The number as you sent it.' }),
    requestDate: orNull(Type.String(), 'The date of the answer, as the registry states it.'),
    valid: orNull(
      Type.Boolean(),
      'Null unless the check is answered: an outage is never `false`. A false answer near an outage is confirmed by a second query first.',
    ),
    name: orNull(Type.String(), 'The name of the trader; null if it is withheld.'),
    address: orNull(Type.String(), 'The address, with its line breaks; null if it is withheld.'),
    consultationNumber: orNull(
      Type.String(),
      "The registry's own proof of the query; only with a requester, and not for every answer.",
    ),
    requester: orNull(Type.Object(requesterFields)),
    trader: orNull(Type.Object(traderFields(text)), 'The trader as you sent it.'),
    traderMatch: orNull(
      Type.Object(traderFields(match)),
      'The comparison of each field of the trader that you sent.',
    ),
    registry: Type.Enum(['vies']),
    hint: orNull(
      Type.String(),
      'A remark about the number: `prefix removed`, `leading 0 added`, or a check digit that was expected. It never refuses a number.',
    ),
    reference: text,
    error: orNull(
      Type.String(),
      'Why there is no answer: the newest error of a pending or expired check, `INVALID_INPUT` or `INVALID_REQUESTER` of a rejected one.',
    ),
    attempts: Type.Integer({ minimum: 0, description: 'The number of queries so far.' }),
    batchId: text,
    createdAt: instantSchema,
    answeredAt: orNull(instantSchema, 'The end of the check; null while it is pending.'),
    nextAttemptAt: orNull(instantSchema, 'When the registry is queried again.'),
    expiresAt: orNull(instantSchema, 'Until when a pending check is tried.'),
  },
  { $id: 'StoredCheck', description: 'A check that is kept until the registry answers.' },
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
      'Queries the registry for this number until it answers: immediately, and after a failure again and again until the check expires. The request itself waits at most `waitSeconds`, and is never 503 because of the registry. With a requester or a trader the registry compares the trader and gives a consultation number.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: `Up to ${idempotencyKeyMax} printable ASCII characters of your own. A repetition of the request within 24 hours returns the same check.`,
        schema: Type.String({ maxLength: idempotencyKeyMax }),
        example: 'order-1001',
      },
    ],
    body: {
      isRequired: true,
      schema: newCheck,
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
      malformedBody('waitSeconds', 'a whole number from 0 to 10'),
      malformed(
        'Idempotency-Key',
        `1 to ${idempotencyKeyMax} printable ASCII characters`,
        'The header is malformed.',
      ),
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
  getCheck: {
    tag,
    summary: 'One check',
    description: 'With `waitSeconds` the request waits for the end of a pending check.',
    parameters: [checkParameter, waitSeconds],
    answer: { status: 200, description: 'The check.', schema: storedCheckSchema, cacheControl },
    errors: [
      malformed('waitSeconds', 'a whole number from 0 to 10', '`waitSeconds` is malformed.'),
      noCheck,
    ],
  },
};

function wholeNumber(
  {
    min,
    max,
    byDefault,
  }: { readonly min: number; readonly max: number; readonly byDefault: number },
  description: string,
): TSchema {
  const limits = { minimum: min, maximum: max, default: byDefault };
  return Type.Optional(withDescription(Type.Integer(limits), description));
}
