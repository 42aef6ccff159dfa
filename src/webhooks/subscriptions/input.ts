import { overlapHoursDefault, overlapHoursMax } from '../../platform/secret-overlap.ts';
import { defaultTypes, type EventType, subscribableTypes } from '../event-types.ts';
import { parseReceiverUrl, type ReceiverUrlPolicy } from '../network/receiver-url.ts';

/** A field that was refused, for the text of interface 7: `invalid '<name>' — expected …`. */
export type InvalidField = {
  readonly kind: 'invalid';
  readonly field: string;
  /** Undefined if there is no such field. */
  readonly expected: string | undefined;
};

/** A parsed value, or the field that was refused. */
export type Read<T> = { readonly kind: 'read'; readonly value: T } | InvalidField;

export const descriptionCharsMax = 500;

/** A new subscription as the caller describes it. */
export type NewSubscription = {
  readonly url: URL;
  readonly events: readonly EventType[];
  readonly description: string | null;
};

/** A change to a subscription; fields that are left out stay. */
export type SubscriptionChange = Partial<NewSubscription> & {
  readonly status?: 'enabled' | 'disabled';
};

/** Parses the body of `POST /webhooks`: `{url, events?, description?}`. */
export function readNewSubscription(
  body: unknown,
  policy: ReceiverUrlPolicy,
): Read<NewSubscription> {
  const fields = readFields(body, ['url', 'events', 'description']);
  if (fields.kind === 'invalid') return fields;
  const change = readKnownFields(fields.value, policy);
  if (change.kind === 'invalid') return change;
  const { url, events = defaultTypes, description = null } = change.value;
  if (url === undefined) return invalid('url', 'a URL');
  return { kind: 'read', value: { url, events, description } };
}

/** Parses the body of `PATCH /webhooks/{id}`: any of `url`, `events`, `description`, `status`. */
export function readSubscriptionChange(
  body: unknown,
  policy: ReceiverUrlPolicy,
): Read<SubscriptionChange> {
  const names = ['url', 'events', 'description', 'status'];
  const fields = readFields(body, names);
  if (fields.kind === 'invalid') return fields;
  if (Object.keys(fields.value).length === 0) return invalid('body', `some of ${names.join(', ')}`);
  const change = readKnownFields(fields.value, policy);
  if (change.kind === 'invalid') return change;
  const { status } = fields.value;
  if (status === undefined) return change;
  if (status !== 'enabled' && status !== 'disabled')
    return invalid('status', 'enabled or disabled');
  return { kind: 'read', value: { ...change.value, status } };
}

/** Parses the body of `POST /webhooks/{id}/rotate-secret`: `{overlapHours?}`, or no body. */
export function readOverlapHours(body: unknown): Read<number> {
  const fields = readFields(body === undefined ? {} : body, ['overlapHours']);
  if (fields.kind === 'invalid') return fields;
  const { overlapHours = overlapHoursDefault } = fields.value;
  const isWhole = typeof overlapHours === 'number' && Number.isInteger(overlapHours);
  return isWhole && overlapHours >= 0 && overlapHours <= overlapHoursMax
    ? { kind: 'read', value: overlapHours }
    : invalid('overlapHours', `a whole number from 0 to ${overlapHoursMax}`);
}

/** Parses a JSON object that has only these fields, so that a misspelt field is an error. */
export function readFields(
  body: unknown,
  names: readonly string[],
): Read<Readonly<Record<string, unknown>>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return invalid('body', 'a JSON object');
  }
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) return invalid(unknown);
  return { kind: 'read', value: body as Record<string, unknown> };
}

export function invalid(field: string, expected?: string): InvalidField {
  return { kind: 'invalid', field, expected };
}

function readKnownFields(
  fields: Readonly<Record<string, unknown>>,
  policy: ReceiverUrlPolicy,
): Read<Partial<NewSubscription>> {
  const value: { url?: URL; events?: readonly EventType[]; description?: string | null } = {};
  if (fields['url'] !== undefined) {
    const parsed = parseReceiverUrl(fields['url'], policy);
    if (parsed.kind === 'invalid') return invalid('url', parsed.expected);
    value.url = parsed.url;
  }
  if (fields['events'] !== undefined) {
    const events = readEvents(fields['events']);
    if (events === undefined) return invalid('events', `a list of ${subscribableTypes.join(', ')}`);
    value.events = events;
  }
  if (fields['description'] !== undefined) {
    const { description } = fields;
    const isText = typeof description === 'string' && description.length <= descriptionCharsMax;
    if (!isText && description !== null) {
      return invalid('description', `at most ${descriptionCharsMax} characters, or null`);
    }
    // Half of a surrogate pair or a NUL cannot be stored as text.
    value.description = description?.toWellFormed().replaceAll('\0', '\uFFFD') ?? null;
  }
  return { kind: 'read', value };
}

function readEvents(given: unknown): readonly EventType[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const known = subscribableTypes.filter((type) => given.includes(type));
  return given.every((type) => subscribableTypes.includes(type as EventType)) ? known : undefined;
}
