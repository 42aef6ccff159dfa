import { SignatureError } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { importKeys, isSigned, readRawBody, readSecrets } from './signature.ts';
import type { CategoryChange } from './rate-categories.ts';
import type { AnsweredCheck, EndedCheck } from './stored-check.ts';
import type { RateChange } from './vat-rates.ts';
import type { Watch } from './watch.ts';

/** The fields of all events. `id` is the `webhook-id`, the same in all attempts and replays: deduplicate by it. */
type EventHead = {
  readonly id: string;
  /** The moment of the event: an ISO instant. */
  readonly timestamp: string;
};

/** VAT rates changed (interface 6); `changes` are those of `changesOn(snapshotDate)`. */
export type RatesChangedEvent = EventHead & {
  readonly type: 'rates.changed';
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  readonly count: number;
};

/** Rates of goods or services changed (rule G9); `changes` are those of `categoryChangesOn(snapshotDate)`. */
export type CategoriesChangedEvent = EventHead & {
  readonly type: 'categories.changed';
  readonly snapshotDate: string;
  readonly changes: readonly CategoryChange[];
  readonly count: number;
};

/** The event that `webhooks.test` sends. It has the fields of a `rates.changed` event, without changes. */
export type WebhookTestEvent = EventHead & {
  readonly type: 'webhook.test';
  readonly snapshotDate: null;
  readonly changes: readonly [];
  readonly count: 0;
};

/** A stored check has ended (rule K14). Checks of watches are not reported. */
export type VatCheckedEvent = EventHead & {
  readonly type: 'vat.checked';
  readonly check: EndedCheck;
};

/** Two answers about a watched number differ (rule K14). An outage of the registry is no answer. */
export type VatChangedEvent = EventHead & {
  readonly type: 'vat.changed';
  readonly watch: Watch;
  readonly previous: AnsweredCheck;
  readonly current: AnsweredCheck;
  /** A name or an address counts only if both answers disclose it. */
  readonly changed: readonly ('valid' | 'name' | 'address')[];
};

/** A number that the key watches is not watched at present (rule K13). It is sent once until an answer comes again. */
export type VatWatchFailedEvent = EventHead & {
  readonly type: 'vat.watch_failed';
  /** Its `error` says why. */
  readonly watch: Watch;
  /** The check that the registry has refused; null if no check was made: no quota is left, or the key may not use the requester. */
  readonly check: EndedCheck | null;
};

export type WebhookEvent =
  | RatesChangedEvent
  | CategoriesChangedEvent
  | VatCheckedEvent
  | VatChangedEvent
  | VatWatchFailedEvent
  | WebhookTestEvent;

/** The headers as a framework has them: `Headers`, or an object with names in any letter case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** Largest difference between `webhook-timestamp` and now, in either direction. By default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; by default `Date.now()`. */
  readonly now?: number | undefined;
};

const toleranceDefaultSeconds = 300;

/**
 * Throws `InvalidArgumentError` unless this is a secret of a subscription, `whsec_` and 24 to 64 bytes in base64, or a list of
 * them. A receiver calls it when it starts: anybody can sign with an empty secret (contract C28a).
 */
export function checkWebhookSecret(
  secret: string | readonly string[] | undefined,
): asserts secret is string | readonly string[] {
  readSecrets(secret);
}

/**
 * Verifies a webhook and returns its event (Standard Webhooks 1.0, Verifying webhooks).
 *
 * `rawBody` is the received body as bytes or text, before it is parsed. During a rotation, pass both secrets. Throws
 * `SignatureError` if the webhook cannot be trusted; `InvalidArgumentError` if a secret is malformed or missing, or the body
 * is neither bytes nor text.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = toleranceDefaultSeconds, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = await importKeys(secret, 'verify');
  const body = readRawBody(rawBody);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  checkTimestamp(timestamp, now, toleranceSeconds);

  for (const key of keys) {
    if (await isSigned(key, signatures, { id, timestamp, body })) return readEvent(id, body);
  }
  throw new SignatureError(
    'noMatch',
    'no signature matches a given secret and this body; it must be as received, not parsed and printed again',
  );
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new SignatureError('missingHeader', `expected one ${name} header`);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

function findHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const found = Object.keys(headers).filter((one) => one.toLowerCase() === name);
  const values = found.flatMap((one) => headers[one] ?? []);
  // Two values count as none, because it is unknown which of them was signed.
  return values.length === 1 ? values[0] : undefined;
}

function checkTimestamp(timestamp: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) {
    throw new SignatureError('malformedTimestamp', 'webhook-timestamp is not in whole seconds');
  }
  const lateSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
  if (lateSeconds > toleranceSeconds) {
    throw new SignatureError('tooOld', `webhook-timestamp is ${lateSeconds} s old`);
  }
  // `!(a >= b)` instead of `a < b`, because it also refuses NaN, which comes from a malformed `now` or tolerance.
  if (!(lateSeconds >= -toleranceSeconds)) {
    throw new SignatureError('inTheFuture', `webhook-timestamp is ${-lateSeconds} s ahead`);
  }
}

function readEvent(id: string, body: Uint8Array | string): WebhookEvent {
  try {
    const text =
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const event = parseExactJson(text) as Omit<WebhookEvent, 'id'> | null;
    if (typeof event?.type === 'string') return Object.freeze({ id, ...event }) as WebhookEvent;
  } catch (cause) {
    throw new SignatureError('unreadableBody', 'the body is signed, but it is not JSON', { cause });
  }
  throw new SignatureError('unreadableBody', 'the body is signed, but it is not an event');
}
