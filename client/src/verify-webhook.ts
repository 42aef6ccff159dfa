import { SignatureError } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { importSecret, isSigned } from './signature.ts';
import type { RateChange } from './vat-rates.ts';

/** What all events have. `id` is `webhook-id`, the same over attempts and replays: deduplicate by it. */
type EventHead = {
  readonly id: string;
  /** When it happened: an ISO instant. */
  readonly timestamp: string;
};

/** VAT rates moved (interface 6): the rows that `changesOn(snapshotDate)` has. */
export type RatesChangedEvent = EventHead & {
  readonly type: 'rates.changed';
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  readonly count: number;
};

/** What `webhooks.test` sends: the form of the real event, about nothing. */
export type WebhookTestEvent = EventHead & {
  readonly type: 'webhook.test';
  readonly snapshotDate: null;
  readonly changes: readonly [];
  readonly count: 0;
};

export type WebhookEvent = RatesChangedEvent | WebhookTestEvent;

/** As a framework has them: `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far `webhook-timestamp` may be from now, either way. 300 without it. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970, as `Date.now()` has them, which it is without it. */
  readonly now?: number | undefined;
};

const toleranceDefaultSeconds = 300;

/**
 * Verifies a webhook and gives its event (Standard Webhooks 1.0, Verifying webhooks).
 *
 * `rawBody` is the body as it came: bytes, or their text before anything has parsed it. Several secrets may be
 * given while one replaces another. Throws `SignatureError`; `TypeError` for what is no secret.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = toleranceDefaultSeconds, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = await Promise.all(secrets.map(async (one) => importSecret(one, 'verify')));
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  checkMoment(timestamp, now, toleranceSeconds);

  // Not `instanceof`: test environments have an ArrayBuffer of their own.
  const isReady = typeof rawBody === 'string' || ArrayBuffer.isView(rawBody);
  const body = isReady ? rawBody : new Uint8Array(rawBody);
  for (const key of keys) {
    if (await isSigned(key, signatures, { id, timestamp, body })) return readEvent(id, body);
  }
  throw new SignatureError('noMatch', 'no signature is by a known secret');
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
  // Two are as good as none: nobody knows which of them was signed.
  return values.length === 1 ? values[0] : undefined;
}

function checkMoment(timestamp: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) {
    throw new SignatureError('malformedTimestamp', 'webhook-timestamp is not in whole seconds');
  }
  const lateSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
  if (lateSeconds > toleranceSeconds) {
    throw new SignatureError('tooOld', `webhook-timestamp is ${lateSeconds} s old`);
  }
  // Written so that NaN, of a clock or a tolerance that is none, refuses.
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
    throw new SignatureError('unreadableBody', 'the body is signed, but is not JSON', { cause });
  }
  throw new SignatureError('unreadableBody', 'the body is signed, but is no event');
}
