import { instant } from '../../platform/fields/dates.ts';
import { anyText } from '../../platform/fields/field.ts';
import { describe, list, object, oneOf, orNull, string } from '../../platform/fields/schema.ts';
import { defineRoute, type RouteError } from '../../platform/http/routes/define-route.ts';
import type { ReceiverUrlPolicy } from '../network/receiver-url.ts';
import {
  newSubscription,
  schemas,
  secretOnce,
  secretRotation,
  subscriptionChange,
} from './fields.ts';
import { headersMax } from './receiver-headers.ts';
import { disabledReasons, subscriptionsMax } from './subscription.ts';

export const tag = 'Webhooks';
const cacheControl = ['private, no-store'];

const fields = {
  id: string({ pattern: '^sub_[0-9a-f]{16}$' }),
  ...schemas,
  headers: list(string(), {
    maxItems: headersMax,
    description: 'The names of the headers that its deliveries have. No answer has their values.',
  }),
  disabledReason: orNull(
    oneOf(disabledReasons),
    'The reason why it is disabled: you or the operator disabled it, the receiver answered 410, events failed and no delivery has succeeded for five days, or the key has ended. Null while it is enabled.',
  ),
  createdAt: instant,
};

const subscription = object(fields, {
  $id: 'Subscription',
  description: 'A URL to which events are delivered. It belongs to the key that made it.',
});

/** The id of a subscription in a path; the handler answers with 404 for one that cannot be an id. */
export const subscriptionInPath = {
  id: {
    field: anyText(string()),
    description: 'The id of a subscription.',
    example: 'sub_1f3c5e4fb2a1d0c9',
  },
};

/** The 404 for an unknown id, and for an id of another key. */
export const notOwn: RouteError = {
  error: 'notFound',
  when: 'Your key has no subscription or delivery with this id.',
};

export const listOfSubscriptions = defineRoute({
  operation: 'listSubscriptions',
  tag,
  summary: 'Your subscriptions',
  description:
    'Subscriptions belong to the key that made them; other keys do not see them. Signing secrets are not shown.',
  answer: {
    description: 'All subscriptions of your key.',
    schema: object({ webhooks: list(subscription) }, { $id: 'SubscriptionList' }),
    cacheControl,
  },
});

export const createSubscription = (policy: ReceiverUrlPolicy) =>
  defineRoute({
    operation: 'createSubscription',
    tag,
    summary: 'Subscribe',
    description: `A key has up to ${subscriptionsMax} subscriptions.`,
    body: {
      field: newSubscription(policy),
      refused: 'url',
      example: { url: 'https://shop.example/vat', description: 'prices' },
    },
    answer: {
      status: 201,
      description: 'The subscription with its signing secret.',
      schema: object({ ...fields, secret: secretOnce }, { $id: 'CreatedSubscription' }),
      cacheControl: ['no-store'],
      hasLocation: true,
    },
    errors: [
      {
        error: 'subscriptionLimit',
        when: `Your key already has ${subscriptionsMax} subscriptions.`,
      },
    ],
  });

export const getSubscription = defineRoute({
  operation: 'getSubscription',
  tag,
  summary: 'One subscription',
  description:
    'Shows whether events are delivered, and if not, why. The signing secret is not shown.',
  path: subscriptionInPath,
  answer: { description: 'The subscription.', schema: subscription, cacheControl },
  errors: [notOwn],
});

export const changeSubscription = (policy: ReceiverUrlPolicy) =>
  defineRoute({
    operation: 'changeSubscription',
    tag,
    summary: 'Change a subscription',
    description:
      'Fields that are left out stay as they are, but for `headers` beside another `url`. If the change enables a disabled subscription, its due deliveries are attempted.',
    path: subscriptionInPath,
    body: {
      field: subscriptionChange(policy),
      refused: 'status',
      example: { status: 'disabled' },
    },
    answer: { description: 'The changed subscription.', schema: subscription, cacheControl },
    errors: [notOwn],
  });

export const deleteSubscription = defineRoute({
  operation: 'removeSubscription',
  tag,
  summary: 'Unsubscribe',
  description: 'Removes the subscription with its deliveries and their log.',
  path: subscriptionInPath,
  answer: { status: 204, description: 'Removed.', cacheControl: ['no-store'] },
  errors: [notOwn],
});

export const rotateSecret = defineRoute({
  operation: 'rotateSecret',
  tag,
  summary: 'Rotate the signing secret',
  description:
    'Makes a new secret. Until `overlapEndsAt` deliveries are signed with both secrets, so that your receiver can change to the new one without rejecting a delivery.',
  path: subscriptionInPath,
  body: {
    field: secretRotation,
    isOptional: true,
    refused: 'overlapHours',
    example: { overlapHours: 24 },
  },
  answer: {
    description: 'The new secret.',
    schema: object(
      {
        id: fields.id,
        secret: { ...secretOnce, pattern: '^whsec_[A-Za-z0-9+/]{43}=$' },
        overlapEndsAt: describe(instant, 'Until then deliveries are signed with both secrets.'),
      },
      { $id: 'RotatedSecret' },
    ),
    cacheControl,
  },
  errors: [notOwn],
});
