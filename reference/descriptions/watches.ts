import { Type } from 'typebox';
import { instantSchema, malformed, orNull } from './common.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';
import { storedCheck } from '../../src/vat-check/stored/check-schema.ts';
import { countryCode, vatNumber } from '../../src/vat-check/stored/requests/request-fields.ts';
import { malformedBody } from './subscriptions.ts';
import { checkPageLimits } from '../../src/vat-check/stored/requests/list-query.ts';
import { everyDaysLimits, newWatch } from '../../src/vat-check/watches/watch-request.ts';
import { watchesMax } from '../../src/vat-check/watches/watch-store.ts';

const tag = 'Watches';
const cacheControl = ['private, no-store'];
const { min, max, byDefault } = everyDaysLimits;

const everyDays = Type.Integer({ minimum: min, maximum: max, default: byDefault });
const { properties: ofCheck } = storedCheck;

/** A watch, in answers and in events. */
export const watchSchema = Type.Object(
  {
    countryCode: ofCheck.countryCode,
    vatNumber: ofCheck.vatNumber,
    everyDays,
    requester: ofCheck.requester,
    trader: ofCheck.trader,
    reference: ofCheck.reference,
    lastCheck: orNull(
      storedCheck,
      'The newest check, in any status; null before the first one, and if you have deleted it.',
    ),
    nextCheckAt: instantSchema,
    error: orNull(
      Type.Enum(['QUOTA_EXCEEDED', 'INVALID_REQUESTER', 'INVALID_INPUT']),
      'The reason why the number is not watched at present. `QUOTA_EXCEEDED`: the quota of the month is used up, so the next check waits until there is some. `INVALID_REQUESTER`: your key may not use the requester any more, or the registry refuses it. `INVALID_INPUT`: the registry refuses the number. Otherwise null.',
    ),
    createdAt: instantSchema,
  },
  { $id: 'Watch', description: 'A VAT number that is checked again and again.' },
);

const numberParameters: readonly ParameterDescription[] = [
  {
    name: 'country',
    in: 'path',
    description: 'The country of the number, as in `/vatcheck`.',
    schema: countryCode.schema,
    example: 'ES',
  },
  {
    name: 'vat',
    in: 'path',
    description: 'The VAT number, in any spelling.',
    schema: vatNumber.schema,
    example: 'B99999902',
  },
];

const noWatch: ErrorDescription = {
  error: 'notFound',
  when: 'Your key does not watch this number.',
};
const impossible: ErrorDescription = {
  error: 'invalidInput',
  when: 'The number, or its country, is one that the registry would refuse.',
};

/** The routes of watches (rule K13). */
export const watchReference: Reference = {
  putWatch: {
    tag,
    access: 'limited',
    summary: 'Watch a number',
    description:
      'Creates the watch of a number, whose first check is due immediately, or changes it. Spellings of one number are one watch. Fields that are left out have their defaults. The following checks are spread over the period, and each is charged once. `vat.changed` reports a change between two answers, and `vat.watch_failed` that the number is not watched at present.',
    parameters: numberParameters,
    body: {
      isRequired: false,
      schema: newWatch.schema,
      example: { everyDays: 30, reference: 'cust_1001' },
    },
    answer: {
      status: 201,
      description: 'The number is watched from now on.',
      schema: watchSchema,
      cacheControl,
      others: [{ status: 200, description: 'The number was watched already.' }],
    },
    errors: [
      malformedBody('everyDays', `a whole number from ${min} to ${max}`),
      {
        error: 'requesterNotAllowed',
        when: 'Your key has another requester than the body names.',
      },
      { error: 'watchLimit', when: `Your key has ${watchesMax} watches.` },
      impossible,
    ],
  },
  getWatch: {
    tag,
    access: 'limited',
    summary: 'One watch',
    description: 'The watch of a number with its newest check.',
    parameters: numberParameters,
    answer: { status: 200, description: 'The watch.', schema: watchSchema, cacheControl },
    errors: [noWatch, impossible],
  },
  deleteWatch: {
    tag,
    access: 'limited',
    summary: 'Stop watching a number',
    description: 'The checks of the watch stay stored.',
    parameters: numberParameters,
    answer: { status: 204, description: 'Deleted.', cacheControl },
    errors: [noWatch, impossible],
  },
  listWatches: {
    tag,
    access: 'limited',
    summary: 'Your watches',
    description: 'The newest watch is first. Other keys do not see them.',
    parameters: [
      {
        name: 'cursor',
        in: 'query',
        description: 'The `nextCursor` of the previous page.',
        schema: Type.String(),
      },
      {
        name: 'limit',
        in: 'query',
        description: `The largest number of watches to return. Values above ${checkPageLimits.max} mean ${checkPageLimits.max}.`,
        schema: Type.Integer({ minimum: 1, default: checkPageLimits.byDefault }),
        example: 20,
      },
    ],
    answer: {
      status: 200,
      description: 'A page of watches.',
      schema: Type.Object(
        {
          watches: Type.Array(watchSchema),
          count: Type.Integer({ minimum: 0, description: 'The number of watches on this page.' }),
          nextCursor: orNull(
            Type.String(),
            'The `cursor` of the next page; null on the last page.',
          ),
        },
        { $id: 'WatchList' },
      ),
      cacheControl,
    },
    errors: [
      malformed('cursor', 'the nextCursor of the page before', '`cursor` is malformed.'),
      { error: 'invalidLimit', when: '`limit` is not a positive whole number.' },
    ],
  },
};
