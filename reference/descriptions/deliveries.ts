import { Type } from 'typebox';
import { instantSchema, limitParameter, malformed, orNull } from './common.ts';
import type { ErrorDescription, Reference } from './route-description.ts';
import { attemptsKeptMax } from '../../src/webhooks/delivery/delivery-results.ts';
import { eventTypes } from '../../src/events/event-types.ts';
import { keptBytesMax } from '../../src/webhooks/delivery/kept-answer.ts';
import { deliveryStatuses } from '../../src/webhooks/delivery/delivery.ts';
import { noSubscription, subscriptionParameter } from './subscriptions.ts';

const tag = 'Webhooks';

const attempt = Type.Object(
  {
    at: instantSchema,
    statusCode: orNull(
      Type.Integer(),
      'The status code with which the receiver answered; null if it did not answer.',
    ),
    durationMs: Type.Integer({ minimum: 0 }),
    error: orNull(
      Type.String(),
      'The reason why the receiver did not answer; null if it answered.',
    ),
    answer: orNull(
      Type.String(),
      `Text from the first ${keptBytesMax} bytes of an answer outside of 2xx. Control characters are blanks, and values of the subscription's headers \`***\`. Null for any other attempt, and if the answer is compressed.`,
    ),
    location: orNull(Type.String(), 'The `Location` of a redirect, which is not followed.'),
  },
  { $id: 'DeliveryAttempt', description: 'One request to the receiver.' },
);

const delivery = Type.Object(
  {
    id: Type.String({ pattern: '^dlv_[0-9a-f]+$' }),
    eventId: Type.String({
      pattern: '^evt_[0-9a-f]{24}$',
      description: 'The `webhook-id` of its requests.',
    }),
    type: Type.Enum(Object.keys(eventTypes)),
    status: Type.Enum([...deliveryStatuses]),
    nextAttemptAt: orNull(
      instantSchema,
      'When the next attempt is due; null if none is planned, and while the subscription is disabled.',
    ),
    attempts: Type.Array(attempt, {
      maxItems: attemptsKeptMax,
      description: `The ${attemptsKeptMax} newest attempts; among them the oldest is first.`,
    }),
  },
  { $id: 'Delivery', description: 'One event for one subscription.' },
);

const disabled: ErrorDescription = {
  error: 'subscriptionDisabled',
  when: 'The subscription is disabled, so no event is sent to it.',
};
const accepted = { status: 202, cacheControl: ['no-store'] } as const;

/** The routes of deliveries. */
export const deliveryReference: Reference = {
  listDeliveries: {
    tag,
    summary: 'The deliveries of a subscription',
    description: `The deliveries of the last 30 days, the newest first, with up to ${attemptsKeptMax} attempts each.`,
    parameters: [
      subscriptionParameter,
      {
        name: 'status',
        in: 'query',
        description: 'Only deliveries with this status.',
        schema: Type.Enum([...deliveryStatuses]),
        example: 'failed',
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'The `nextCursor` of the previous page.',
        schema: Type.String(),
      },
      limitParameter,
    ],
    answer: {
      status: 200,
      description: 'A page of deliveries.',
      schema: Type.Object(
        {
          deliveries: Type.Array(delivery),
          nextCursor: orNull(
            Type.String(),
            'The `cursor` of the next page; null on the last page.',
          ),
        },
        { $id: 'DeliveryList' },
      ),
      cacheControl: ['private, no-store'],
    },
    errors: [
      malformed('status', 'pending, succeeded or failed', '`status` is not one of the three.'),
      malformed(
        'cursor',
        'the nextCursor of the page before',
        '`cursor` is not the `nextCursor` of a page.',
      ),
      { error: 'invalidLimit', when: '`limit` is not a positive whole number.' },
      noSubscription,
    ],
  },
  sendTest: {
    tag,
    summary: 'Send a test',
    description: 'Delivers a `webhook.test` event to this subscription only.',
    parameters: [subscriptionParameter],
    answer: {
      ...accepted,
      description: 'The delivery, before its first attempt.',
      schema: delivery,
    },
    errors: [noSubscription, disabled],
  },
  replayDelivery: {
    tag,
    summary: 'Send a delivery again',
    description:
      'Sends the event again with the same id, with as many attempts as the first time. A delivery can be replayed once a minute; another request is answered with 429 `RATE_LIMITED` and `Retry-After`.',
    parameters: [
      subscriptionParameter,
      {
        name: 'deliveryId',
        in: 'path',
        description: 'The id of a delivery.',
        schema: Type.String(),
        example: 'dlv_9e7a2b4c6d8f0a1b3c5d7e9f',
      },
    ],
    answer: { ...accepted, description: 'The delivery, which is due again.', schema: delivery },
    errors: [noSubscription, disabled],
  },
};
