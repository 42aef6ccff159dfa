import { eventTypes } from '../../events/event-types.ts';
import { instant } from '../../platform/fields/dates.ts';
import { anyText, choice, optional, text } from '../../platform/fields/field.ts';
import * as schema from '../../platform/fields/schema.ts';
import { defineRoute, type RouteError } from '../../platform/http/routes/define-route.ts';
import { limitParameter, nextCursor } from '../../platform/http/routes/list-parameters.ts';
import { notOwn, subscriptionInPath, tag } from '../subscriptions/definitions.ts';
import { deliveryStatuses } from './delivery.ts';
import type { DeliveryCursor } from './delivery-log.ts';
import { attemptsKeptMax } from './delivery-results.ts';
import { keptBytesMax } from './kept-answer.ts';

const { integer, list, object, oneOf, orNull, string } = schema;

const attempt = object(
  {
    at: instant,
    statusCode: orNull(
      integer(),
      'The status code with which the receiver answered; null if it did not answer.',
    ),
    durationMs: integer({ minimum: 0 }),
    error: orNull(string(), 'The reason why the receiver did not answer; null if it answered.'),
    answer: orNull(
      string(),
      `Text from the first ${keptBytesMax} bytes of an answer outside of 2xx. Control characters are blanks, and values of the subscription's headers \`***\`. Null for any other attempt, and if the answer is compressed.`,
    ),
    location: orNull(string(), 'The `Location` of a redirect, which is not followed.'),
  },
  { $id: 'DeliveryAttempt', description: 'One request to the receiver.' },
);

/** A delivery in an answer. */
export const delivery = object(
  {
    id: string({ pattern: '^dlv_[0-9a-f]+$' }),
    eventId: string({
      pattern: '^evt_[0-9a-f]{24}$',
      description: 'The `webhook-id` of its requests.',
    }),
    type: oneOf<string>(Object.keys(eventTypes)),
    status: oneOf(deliveryStatuses),
    nextAttemptAt: orNull(
      instant,
      'When the next attempt is due; null if none is planned, and while the subscription is disabled.',
    ),
    attempts: list(attempt, {
      maxItems: attemptsKeptMax,
      description: `The ${attemptsKeptMax} newest attempts; among them the oldest is first.`,
    }),
  },
  { $id: 'Delivery', description: 'One event for one subscription.' },
);

const disabled: RouteError = {
  error: 'subscriptionDisabled',
  when: 'The subscription is disabled, so no event is sent to it.',
};
const accepted = { status: 202, cacheControl: ['no-store'], schema: delivery } as const;

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (dlv_[0-9a-f]+)$/;

/** Prints `nextCursor`, which is opaque to callers. */
export function printCursor({ createdAt, id }: DeliveryCursor): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

function parseCursor(given: string): DeliveryCursor | undefined {
  const [, createdAt, id] = cursorPattern.exec(Buffer.from(given, 'base64url').toString()) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt, id };
}

export const listOfDeliveries = defineRoute({
  operation: 'listDeliveries',
  tag,
  summary: 'The deliveries of a subscription',
  description: `The deliveries of the last 30 days, the newest first, with up to ${attemptsKeptMax} attempts each.`,
  path: subscriptionInPath,
  query: {
    status: {
      field: optional(choice(deliveryStatuses, 'pending, succeeded or failed')),
      description: 'Only deliveries with this status.',
      example: 'failed',
      when: '`status` is not one of the three.',
    },
    cursor: {
      field: optional(text(string(), 'the nextCursor of the page before', parseCursor)),
      description: 'The `nextCursor` of the previous page.',
      when: '`cursor` is not the `nextCursor` of a page.',
    },
    limit: limitParameter('rows'),
  },
  answer: {
    description: 'A page of deliveries.',
    schema: object({ deliveries: list(delivery), nextCursor }, { $id: 'DeliveryList' }),
    cacheControl: ['private, no-store'],
  },
  errors: [notOwn],
});

export const sendTest = defineRoute({
  operation: 'sendTest',
  tag,
  summary: 'Send a test',
  description: 'Delivers a `webhook.test` event to this subscription only.',
  path: subscriptionInPath,
  answer: { ...accepted, description: 'The delivery, before its first attempt.' },
  errors: [notOwn, disabled],
});

export const replay = defineRoute({
  operation: 'replayDelivery',
  tag,
  summary: 'Send a delivery again',
  description:
    'Sends the event again with the same id, with as many attempts as the first time. A delivery can be replayed once a minute; another request is answered with 429 `RATE_LIMITED` and `Retry-After`.',
  path: {
    ...subscriptionInPath,
    deliveryId: {
      field: anyText(string()),
      description: 'The id of a delivery.',
      example: 'dlv_9e7a2b4c6d8f0a1b3c5d7e9f',
    },
  },
  answer: { ...accepted, description: 'The delivery, which is due again.' },
  errors: [notOwn, disabled],
});
