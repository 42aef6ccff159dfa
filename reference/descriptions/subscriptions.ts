import { Type } from 'typebox';
import { withDescription, instantSchema, malformed, orNull } from './common.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';
import { defaultTypes, subscribableTypes } from '../../src/events/event-types.ts';
import {
  disabledReasons,
  subscriptionsMax,
} from '../../src/webhooks/subscriptions/subscription.ts';
import {
  overlapHoursDefault,
  overlapHoursMax,
} from '../../src/platform/encryption/secret-overlap.ts';
import { receiverUrlCharsMax } from '../../src/webhooks/network/receiver-url.ts';
import {
  headerNamePattern,
  headersMax,
  headerValueMax,
  headerValuePattern,
} from '../../src/webhooks/subscriptions/receiver-headers.ts';
import { signingSecretPattern } from '../../src/webhooks/signature.ts';
import { descriptionCharsMax } from '../../src/webhooks/subscriptions/input.ts';

const tag = 'Webhooks';
const privateNoStore = ['private, no-store'];

const fields = {
  url: Type.String({
    format: 'uri',
    maxLength: receiverUrlCharsMax,
    description:
      'The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may allow other URLs.',
  }),
  events: Type.Array(Type.Enum([...subscribableTypes]), {
    minItems: 1,
    maxItems: subscribableTypes.length,
    description: 'The events to deliver.',
  }),
  description: orNull(
    Type.String({ maxLength: descriptionCharsMax }),
    'A note of your own, or null.',
  ),
  status: Type.Enum(['enabled', 'disabled'], {
    description: 'Events are delivered only to an enabled subscription.',
  }),
};

const headers = orNull(
  Type.Record(
    Type.String({ pattern: headerNamePattern.source }),
    Type.String({ pattern: headerValuePattern.source, maxLength: headerValueMax }),
    { maxProperties: headersMax },
  ),
  `Headers for a gateway in front of the receiver, by name. Names other than those of one connection (\`connection\`, \`te\`, \`upgrade\` …), \`host\`, \`expect\`, \`content-*\`, \`proxy-*\` and \`webhook-*\`, each once in any letter case. Values are visible ASCII characters with blanks only between them. They are stored encrypted and shown in no answer.`,
);

const allFields = {
  id: Type.String({ pattern: '^sub_[0-9a-f]{16}$' }),
  ...fields,
  headers: Type.Array(Type.String(), {
    maxItems: headersMax,
    description: 'The names of the headers that its deliveries have. No answer has their values.',
  }),
  disabledReason: orNull(
    Type.Enum([...disabledReasons]),
    'The reason why it is disabled: you or the operator disabled it, the receiver answered 410, events failed and no delivery has succeeded for five days, or the key has ended. Null while it is enabled.',
  ),
  createdAt: instantSchema,
};

const secret = {
  pattern: signingSecretPattern.source,
  description: 'The secret that signs deliveries. It is shown only once.',
};

const subscription = Type.Object(allFields, {
  $id: 'Subscription',
  description: 'A URL to which events are delivered. It belongs to the key that made it.',
});

/** The path parameter that names a subscription. */
const subscriptionParameter: ParameterDescription = {
  name: 'id',
  in: 'path',
  description: 'The id of a subscription.',
  schema: Type.String(),
  example: 'sub_1f3c5e4fb2a1d0c9',
};

/** The 404 for an unknown id, and for an id of another key. */
const noSubscription: ErrorDescription = {
  error: 'notFound',
  when: 'Your key has no subscription or delivery with this id.',
};

/** The 400 for a malformed body. Its text names the wrong field, so the documented text is an example. */
function malformedBody(field: string, expected: string): ErrorDescription {
  const when = 'A field is malformed, or the body has an unknown one.';
  return { ...malformed(field, expected, when), isOneOfMany: true };
}

/** The routes of subscriptions. */
export const subscriptionReference: Reference = {
  listSubscriptions: {
    tag,
    summary: 'Your subscriptions',
    description:
      'Subscriptions belong to the key that made them; other keys do not see them. Signing secrets are not shown.',
    answer: {
      status: 200,
      description: 'All subscriptions of your key.',
      schema: Type.Object({ webhooks: Type.Array(subscription) }, { $id: 'SubscriptionList' }),
      cacheControl: privateNoStore,
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
          events: Type.Optional(
            withDescription(
              fields.events,
              `The events to deliver. If this field is left out: ${defaultTypes.map((type) => `\`${type}\``).join(', ')}. All others have to be named.`,
            ),
          ),
          description: Type.Optional(fields.description),
          headers: Type.Optional(headers),
          secret: Type.Optional(
            Type.String({
              ...secret,
              maxLength: 94,
              description:
                'A signing secret of your own: `whsec_` and 24 to 64 bytes in base64. If this field is left out, the service makes one.',
            }),
          ),
        },
        { $id: 'NewSubscription', additionalProperties: false },
      ),
      example: { url: 'https://shop.example/vat', description: 'prices' },
    },
    answer: {
      status: 201,
      description: 'The subscription with its signing secret.',
      schema: Type.Object(
        { ...allFields, secret: Type.String(secret) },
        { $id: 'CreatedSubscription' },
      ),
      cacheControl: ['no-store'],
      hasLocation: true,
    },
    errors: [
      malformedBody('url', 'an https URL'),
      {
        error: 'subscriptionLimit',
        when: `Your key already has ${subscriptionsMax} subscriptions.`,
      },
    ],
  },
  getSubscription: {
    tag,
    summary: 'One subscription',
    description:
      'Shows whether events are delivered, and if not, why. The signing secret is not shown.',
    parameters: [subscriptionParameter],
    answer: {
      status: 200,
      description: 'The subscription.',
      schema: subscription,
      cacheControl: privateNoStore,
    },
    errors: [noSubscription],
  },
  changeSubscription: {
    tag,
    summary: 'Change a subscription',
    description:
      'Fields that are left out stay as they are, but for `headers` beside another `url`. If the change enables a disabled subscription, its due deliveries are attempted.',
    parameters: [subscriptionParameter],
    body: {
      isRequired: true,
      schema: Type.Object(
        {
          url: Type.Optional(fields.url),
          events: Type.Optional(fields.events),
          description: Type.Optional(fields.description),
          headers: Type.Optional(
            withDescription(
              headers,
              'Replaces all headers; `{}` or null removes them. If `url` changes and this field is left out, they are removed as well: otherwise a caller with a stolen key could send their values to another receiver.',
            ),
          ),
          status: Type.Optional(fields.status),
        },
        { $id: 'SubscriptionChange', additionalProperties: false, minProperties: 1 },
      ),
      example: { status: 'disabled' },
    },
    answer: {
      status: 200,
      description: 'The changed subscription.',
      schema: subscription,
      cacheControl: privateNoStore,
    },
    errors: [malformedBody('status', 'enabled or disabled'), noSubscription],
  },
  removeSubscription: {
    tag,
    summary: 'Unsubscribe',
    description: 'Removes the subscription with its deliveries and their log.',
    parameters: [subscriptionParameter],
    answer: { status: 204, description: 'Removed.', cacheControl: ['no-store'] },
    errors: [noSubscription],
  },
  rotateSecret: {
    tag,
    summary: 'Rotate the signing secret',
    description:
      'Makes a new secret. Until `overlapEndsAt` deliveries are signed with both secrets, so that your receiver can change to the new one without rejecting a delivery.',
    parameters: [subscriptionParameter],
    body: {
      isRequired: false,
      schema: Type.Object(
        {
          overlapHours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: overlapHoursMax,
              default: overlapHoursDefault,
              description: 'The hours for which deliveries are signed with both secrets.',
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
          id: allFields.id,
          secret: Type.String({ ...secret, pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }),
          overlapEndsAt: withDescription(
            instantSchema,
            'Until then deliveries are signed with both secrets.',
          ),
        },
        { $id: 'RotatedSecret' },
      ),
      cacheControl: privateNoStore,
    },
    errors: [
      malformedBody('overlapHours', `a whole number from 0 to ${overlapHoursMax}`),
      noSubscription,
    ],
  },
};
