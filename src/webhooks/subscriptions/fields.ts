import { defaultTypes, type EventType, subscribableTypes } from '../../events/event-types.ts';
import { overlapHoursDefault, overlapHoursMax } from '../../platform/encryption/secret-overlap.ts';
import {
  choice,
  type Field,
  objectOf,
  optional,
  type Place,
  type ReadBy,
  refined,
  refuse,
  text,
  value,
  whole,
} from '../../platform/fields/field.ts';
import { describe, list, oneOf, orNull, string } from '../../platform/fields/schema.ts';
import { hasAtMost } from '../../platform/values/characters.ts';
import {
  parseReceiverUrl,
  receiverUrlCharsMax,
  type ReceiverUrlPolicy,
} from '../network/receiver-url.ts';
import { isSigningSecret, signingSecretForm, signingSecretPattern } from '../signature.ts';
import { receiverHeaders } from './receiver-headers.ts';

const descriptionCharsMax = 500;

/** The signing secret in an answer. */
export const secretOnce = string({
  pattern: signingSecretPattern.source,
  description: 'The secret that signs deliveries. It is shown only once.',
});

const urlSchema = string({
  format: 'uri',
  maxLength: receiverUrlCharsMax,
  description:
    'The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may allow other URLs.',
});

/** The URL of the receiver; the settings of the operator say which ones it may be. */
function urlField(policy: ReceiverUrlPolicy): Field<URL> {
  return {
    schema: urlSchema,
    expected: 'an https URL',
    read: (given, at) => {
      if (given === undefined) return refuse(at, 'a URL');
      const parsed = parseReceiverUrl(given, policy);
      return parsed.kind === 'invalid' ? refuse(at, parsed.expected) : parsed.url;
    },
  };
}

const events = value(
  list(oneOf(subscribableTypes), {
    minItems: 1,
    maxItems: subscribableTypes.length,
    description: 'The events to deliver.',
  }),
  `a list of ${subscribableTypes.join(', ')}`,
  (given): readonly EventType[] | undefined => {
    const named = Array.isArray(given) ? (given as readonly EventType[]) : [];
    const isCounted = named.length > 0 && named.length <= subscribableTypes.length;
    return isCounted && named.every((type) => subscribableTypes.includes(type))
      ? subscribableTypes.filter((type) => named.includes(type))
      : undefined;
  },
);

const description = value(
  orNull(string({ maxLength: descriptionCharsMax }), 'A note of your own, or null.'),
  `at most ${descriptionCharsMax} characters, or null`,
  (given): string | null | undefined => {
    if (given === null) return null;
    if (typeof given !== 'string' || !hasAtMost(given, descriptionCharsMax)) return undefined;
    // Half of a surrogate pair or a NUL cannot be stored as text.
    return given.toWellFormed().replaceAll('\0', '\uFFFD');
  },
);

const status = choice(
  ['enabled', 'disabled'],
  'enabled or disabled',
  oneOf(['enabled', 'disabled'], {
    description: 'Events are delivered only to an enabled subscription.',
  }),
);

const ownSecret = text(
  string({
    ...secretOnce,
    maxLength: 94,
    description:
      'A signing secret of your own: `whsec_` and 24 to 64 bytes in base64. If this field is left out, the service makes one.',
  }),
  signingSecretForm,
  (given) => (isSigningSecret(given) ? given : undefined),
);

/** The schemas of the fields that a subscription has in answers as well. */
export const schemas = {
  url: urlSchema,
  events: events.schema,
  description: description.schema,
  status: status.schema,
};

/** The body of `POST /webhooks`. */
export function newSubscription(policy: ReceiverUrlPolicy) {
  const named = defaultTypes.map((type) => `\`${type}\``).join(', ');
  const words = `The events to deliver. If this field is left out: ${named}. All others have to be named.`;
  return objectOf(
    {
      url: urlField(policy),
      events: optional({ ...events, schema: describe(events.schema, words) }, defaultTypes),
      description: optional(description, null),
      headers: optional(receiverHeaders, []),
      secret: optional(ownSecret),
    },
    { $id: 'NewSubscription' },
  );
}

/** A new subscription; `secret` is the caller's own, undefined if one is to be made. */
export type NewSubscription = ReadBy<ReturnType<typeof newSubscription>>;

const headersOfChange = {
  ...receiverHeaders,
  schema: describe(
    receiverHeaders.schema,
    'Replaces all headers; `{}` or null removes them. If `url` changes and this field is left out, they are removed as well: otherwise a caller with a stolen key could send their values to another receiver.',
  ),
};

/** The body of `PATCH /webhooks/{id}`. */
export function subscriptionChange(policy: ReceiverUrlPolicy) {
  const anyOf = objectOf(
    {
      url: optional(urlField(policy)),
      events: optional(events),
      description: optional(description),
      headers: optional(headersOfChange),
      status: optional(status),
    },
    { $id: 'SubscriptionChange', minProperties: 1 },
  );
  const some = (change: ReadBy<typeof anyOf>, at: Place) =>
    Object.values(change).some((one) => one !== undefined)
      ? change
      : refuse(at, `some of ${Object.keys(anyOf.fields).join(', ')}`);
  return { ...refined(anyOf, some), fields: anyOf.fields };
}

/** A change to a subscription; fields that are absent or undefined stay. */
export type SubscriptionChange = Partial<ReadBy<ReturnType<typeof subscriptionChange>>>;

/** The body of `POST /webhooks/{id}/rotate-secret`. */
export const secretRotation = objectOf(
  {
    overlapHours: optional(
      whole(0, overlapHoursMax, {
        default: overlapHoursDefault,
        description: 'The hours for which deliveries are signed with both secrets.',
      }),
      overlapHoursDefault,
    ),
  },
  { $id: 'SecretRotation' },
);
