import { Type } from 'typebox';
import {
  dateSchema,
  described,
  instantSchema,
  limitParameter,
  malformed,
  orNull,
} from './common.ts';
import type { ErrorDescription, Reference } from './route-description.ts';
import { attemptsKeptMax } from '../../src/webhooks/delivery/attempt-writer.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { deliveryStatuses } from '../../src/webhooks/delivery/delivery.ts';
import { requestedPerHourMax } from '../../src/webhooks/delivery/replay-limits.ts';
import { malformedBody, noSubscription, subscriptionParameter } from './subscriptions.ts';

const tag = 'Webhooks';

const attempt = Type.Object(
  {
    at: instantSchema,
    statusCode: orNull(
      Type.Integer(),
      'What the receiver answered; null when there was no answer.',
    ),
    durationMs: Type.Integer({ minimum: 0 }),
    error: orNull(Type.String(), 'Why there was no answer; null when there was one.'),
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
      'Null when nothing more is attempted by itself, or while the subscription is disabled.',
    ),
    attempts: Type.Array(attempt, {
      maxItems: attemptsKeptMax,
      description: `The ${attemptsKeptMax} newest, the oldest of them first.`,
    }),
  },
  { $id: 'Delivery', description: 'One event to one subscription.' },
);

const disabled: ErrorDescription = {
  error: 'subscriptionDisabled',
  when: 'Nothing is sent while the subscription is disabled.',
};
const hourly = `A key may ask for ${requestedPerHourMax.toLocaleString('en')} deliveries an hour, tests and replays together: one more is a 429 \`RATE_LIMITED\` with \`Retry-After\`.`;
const accepted = { status: 202, cacheControl: ['no-store'] } as const;

/** What the reference says of deliveries. */
export const deliveryReference: Reference = {
  listDeliveries: {
    tag,
    summary: 'The deliveries of a subscription',
    description: `The newest first, with up to ${attemptsKeptMax} attempts each; 30 days back.`,
    parameters: [
      subscriptionParameter,
      {
        name: 'status',
        in: 'query',
        description: 'Only deliveries of this status.',
        schema: Type.Enum([...deliveryStatuses]),
        example: 'failed',
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'The `nextCursor` of the page before.',
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
          nextCursor: orNull(Type.String(), 'For the next page; null on the last.'),
        },
        { $id: 'DeliveryList' },
      ),
      cacheControl: ['private, no-store'],
    },
    errors: [
      malformed('status', 'pending, succeeded or failed', '`status` is none of the three.'),
      malformed('cursor', 'the nextCursor of the page before', '`cursor` was not given out.'),
      { error: 'invalidLimit', when: '`limit` is zero, negative or no whole number.' },
      noSubscription,
    ],
  },
  sendTest: {
    tag,
    summary: 'Send a test',
    description: `Delivers a \`webhook.test\` event to this subscription alone. ${hourly}`,
    parameters: [subscriptionParameter],
    answer: { ...accepted, description: 'Its delivery, not attempted yet.', schema: delivery },
    errors: [noSubscription, disabled],
  },
  replayDelivery: {
    tag,
    summary: 'Send a delivery again',
    description: `With the same event id, and a round of attempts of its own. Once a minute for each delivery. ${hourly}`,
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
    answer: { ...accepted, description: 'The delivery, due again.', schema: delivery },
    errors: [noSubscription, disabled],
  },
  replayEvents: {
    tag,
    summary: 'Send all events since a moment again',
    description: `Also those from before the subscription was made. All or none: a request that exceeds the limit, or that has a delivery that was replayed within the last minute, is a 429 and sends nothing. ${hourly}`,
    parameters: [subscriptionParameter],
    body: {
      isRequired: true,
      schema: Type.Object(
        {
          since: Type.Union([dateSchema, Type.String({ format: 'date-time' })], {
            description: 'A date, which is its start in UTC, or an ISO 8601 instant.',
          }),
        },
        { $id: 'Replay', additionalProperties: false },
      ),
      example: { since: '2026-11-01' },
    },
    answer: {
      ...accepted,
      description: 'How many events are due again.',
      schema: Type.Object(
        {
          since: described(instantSchema, 'The moment that was read.'),
          events: Type.Integer({ minimum: 0, description: 'How many events are sent.' }),
        },
        { $id: 'ReplayStarted' },
      ),
    },
    errors: [malformedBody('since', 'YYYY-MM-DD or an ISO 8601 instant'), noSubscription, disabled],
  },
};
