import { hasAtMost } from '../../platform/values/characters.ts';
import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { readFields } from '../../platform/http/routes/body-fields.ts';
import { overlapHoursDefault, overlapHoursMax } from '../../platform/encryption/secret-overlap.ts';
import { defaultTypes, type EventType, subscribableTypes } from '../../events/event-types.ts';
import { parseReceiverUrl, type ReceiverUrlPolicy } from '../network/receiver-url.ts';
import { isSigningSecret, signingSecretForm } from '../signature.ts';
import { readReceiverHeaders, type ReceiverHeaders } from './receiver-headers.ts';

export const descriptionCharsMax = 500;

/** A new subscription as the caller describes it. */
export type NewSubscription = {
  readonly url: URL;
  readonly events: readonly EventType[];
  readonly description: string | null;
  readonly headers: ReceiverHeaders;
  /** The caller's own signing secret; undefined if one is to be made. */
  readonly secret: string | undefined;
};

/** A change to a subscription; fields that are left out stay. */
export type SubscriptionChange = Partial<Omit<NewSubscription, 'secret'>> & {
  readonly status?: 'enabled' | 'disabled';
};

/** Parses the body of `POST /webhooks`, `{url, events?, description?, headers?, secret?}`, or throws the 400. */
export function readNewSubscription(body: unknown, policy: ReceiverUrlPolicy): NewSubscription {
  const fields = readFields(body, ['url', 'events', 'description', 'headers', 'secret']);
  const given = readGiven(fields, policy);
  const { url, events = defaultTypes, description = null, headers = [] } = given;
  if (url === undefined) throw invalidField('url', 'a URL');
  const { secret } = fields;
  return {
    url,
    events,
    description,
    headers,
    secret: secret === undefined ? secret : readSecret(secret),
  };
}

/** Parses the body of `PATCH /webhooks/{id}`, any of its five fields, or throws the 400. */
export function readSubscriptionChange(
  body: unknown,
  policy: ReceiverUrlPolicy,
): SubscriptionChange {
  const names = ['url', 'events', 'description', 'headers', 'status'];
  const fields = readFields(body, names);
  if (Object.keys(fields).length === 0) throw invalidField('body', `some of ${names.join(', ')}`);
  const change = readGiven(fields, policy);
  const { status } = fields;
  if (status === undefined) return change;
  if (status !== 'enabled' && status !== 'disabled') {
    throw invalidField('status', 'enabled or disabled');
  }
  return { ...change, status };
}

/** Parses the body of `POST /webhooks/{id}/rotate-secret`, `{overlapHours?}` or none, or throws the 400. */
export function readOverlapHours(body: unknown): number {
  const fields = readFields(body === undefined ? {} : body, ['overlapHours']);
  const { overlapHours = overlapHoursDefault } = fields;
  const isWhole = typeof overlapHours === 'number' && Number.isInteger(overlapHours);
  if (isWhole && overlapHours >= 0 && overlapHours <= overlapHoursMax) return overlapHours;
  throw invalidField('overlapHours', `a whole number from 0 to ${overlapHoursMax}`);
}

/** Parses those of url, events, description and headers that are given. */
function readGiven(
  { url, events, description, headers }: Readonly<Record<string, unknown>>,
  policy: ReceiverUrlPolicy,
): Partial<Omit<NewSubscription, 'secret'>> {
  return {
    ...(url !== undefined && { url: readUrl(url, policy) }),
    ...(events !== undefined && { events: readEvents(events) }),
    ...(description !== undefined && { description: readDescription(description) }),
    ...(headers !== undefined && { headers: readReceiverHeaders(headers) }),
  };
}

function readUrl(given: unknown, policy: ReceiverUrlPolicy): URL {
  const parsed = parseReceiverUrl(given, policy);
  if (parsed.kind === 'invalid') throw invalidField('url', parsed.expected);
  return parsed.url;
}

function readEvents(given: unknown): readonly EventType[] {
  const named = Array.isArray(given) ? given : [];
  const isCounted = named.length > 0 && named.length <= subscribableTypes.length;
  if (!isCounted || !named.every((type) => subscribableTypes.includes(type))) {
    throw invalidField('events', `a list of ${subscribableTypes.join(', ')}`);
  }
  return subscribableTypes.filter((type) => named.includes(type));
}

function readDescription(given: unknown): string | null {
  if (given === null) return null;
  if (typeof given !== 'string' || !hasAtMost(given, descriptionCharsMax)) {
    throw invalidField('description', `at most ${descriptionCharsMax} characters, or null`);
  }
  // Half of a surrogate pair or a NUL cannot be stored as text.
  return given.toWellFormed().replaceAll('\0', '\uFFFD');
}

function readSecret(given: unknown): string {
  if (typeof given === 'string' && isSigningSecret(given)) return given;
  throw invalidField('secret', signingSecretForm);
}
