import { Type } from 'typebox';
import { described, instantSchema, malformed, orNull } from './common.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';
import { subscribableTypes } from '../../src/webhooks/event-types.ts';
import {
  disabledReasons,
  subscriptionsMax,
} from '../../src/webhooks/subscriptions/subscription.ts';
import { descriptionCharsMax, overlapHoursMax } from '../../src/webhooks/subscriptions/input.ts';

const tag = 'Webhooks';
const privately = ['private, no-store'];

const fields = {
  url: Type.String({
    format: 'uri',
    maxLength: 2_000,
    description:
      'Where deliveries go: https, port 443 or 8443, a public address. Operators may allow more.',
  }),
  events: Type.Array(Type.Enum([...subscribableTypes]), {
    minItems: 1,
    description: 'The events that it is for.',
  }),
  description: orNull(
    Type.String({ maxLength: descriptionCharsMax }),
    'A note of your own; null for none.',
  ),
  status: Type.Enum(['enabled', 'disabled'], { description: 'Whether anything is delivered.' }),
};

const printed = {
  id: Type.String({ pattern: '^sub_[0-9a-f]{16}$' }),
  ...fields,
  disabledReason: orNull(
    Type.Enum([...disabledReasons]),
    'Why it is disabled: you or the operator said so, the receiver answered 410, nothing arrived for five days, or the key has ended. Null while it is enabled.',
  ),
  createdAt: instantSchema,
};

const secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'Signs the deliveries. Shown this once.',
});

const subscription = Type.Object(printed, {
  $id: 'Subscription',
  description: 'A wish to be told of events at a URL. It belongs to the key that made it.',
});

/** The subscription in the path, as a parameter. */
export const subscriptionParameter: ParameterDescription = {
  name: 'id',
  in: 'path',
  description: 'The id of a subscription.',
  schema: Type.String(),
  example: 'sub_1f3c5e4fb2a1d0c9',
};

/** Another key's ids are as good as none. */
export const noSubscription: ErrorDescription = {
  error: 'notFound',
  when: 'Your key has nothing of this id.',
};

/** The 400 for a body, whose text depends on what is wrong with it. */
export function malformedBody(field: string, expected: string): ErrorDescription {
  const when = 'A field is not as it should be, or there is one that is not known.';
  return { ...malformed(field, expected, when), isOneOfMany: true };
}

/** What the reference says of managing subscriptions. */
export const subscriptionReference: Reference = {
  listSubscriptions: {
    tag,
    summary: 'Your subscriptions',
    answer: {
      status: 200,
      description: 'All subscriptions of your key.',
      schema: Type.Object({ webhooks: Type.Array(subscription) }, { $id: 'SubscriptionList' }),
      cacheControl: privately,
    },
  },
  createSubscription: {
    tag,
    summary: 'Subscribe',
    description: `A key has up to ${subscriptionsMax} subscriptions.`,
    body: {
      isRequired: true,
      schema: Type.Object(
        {
          url: fields.url,
          events: Type.Optional(described(fields.events, 'All events when it is left out.')),
          description: Type.Optional(fields.description),
        },
        { $id: 'NewSubscription', additionalProperties: false },
      ),
      example: { url: 'https://shop.example/vat', description: 'prices' },
    },
    answer: {
      status: 201,
      description: 'The subscription, with its signing secret.',
      schema: Type.Object({ ...printed, secret }, { $id: 'CreatedSubscription' }),
      cacheControl: ['no-store'],
      hasLocation: true,
    },
    errors: [
      malformedBody('url', 'an https URL'),
      {
        error: 'subscriptionLimit',
        when: `Your key has ${subscriptionsMax} subscriptions already.`,
      },
    ],
  },
  getSubscription: {
    tag,
    summary: 'One subscription',
    parameters: [subscriptionParameter],
    answer: {
      status: 200,
      description: 'The subscription.',
      schema: subscription,
      cacheControl: privately,
    },
    errors: [noSubscription],
  },
  changeSubscription: {
    tag,
    summary: 'Change a subscription',
    description: 'What is left out stays. Enabling one that was disabled delivers what is due.',
    parameters: [subscriptionParameter],
    body: {
      isRequired: true,
      schema: Type.Object(
        {
          url: Type.Optional(fields.url),
          events: Type.Optional(fields.events),
          description: Type.Optional(fields.description),
          status: Type.Optional(fields.status),
        },
        { $id: 'SubscriptionChange', additionalProperties: false, minProperties: 1 },
      ),
      example: { status: 'disabled' },
    },
    answer: {
      status: 200,
      description: 'The subscription as it is now.',
      schema: subscription,
      cacheControl: privately,
    },
    errors: [malformedBody('status', 'enabled or disabled'), noSubscription],
  },
  removeSubscription: {
    tag,
    summary: 'Unsubscribe',
    description: 'Its deliveries and their log go with it.',
    parameters: [subscriptionParameter],
    answer: { status: 204, description: 'Gone.', cacheControl: ['no-store'] },
    errors: [noSubscription],
  },
  rotateSecret: {
    tag,
    summary: 'Rotate the signing secret',
    description:
      'The secret before it signs as well for a while, so that nothing is lost meanwhile.',
    parameters: [subscriptionParameter],
    body: {
      isRequired: false,
      schema: Type.Object(
        {
          overlapHours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: overlapHoursMax,
              default: 24,
              description: 'How long both secrets sign.',
            }),
          ),
        },
        { $id: 'SecretRotation', additionalProperties: false },
      ),
      example: { overlapHours: 24 },
    },
    answer: {
      status: 200,
      description: 'The new secret.',
      schema: Type.Object(
        {
          id: printed.id,
          secret,
          overlapEndsAt: described(instantSchema, 'Until then both secrets sign.'),
        },
        { $id: 'RotatedSecret' },
      ),
      cacheControl: privately,
    },
    errors: [
      malformedBody('overlapHours', `a whole number from 0 to ${overlapHoursMax}`),
      noSubscription,
    ],
  },
};
