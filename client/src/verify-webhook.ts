import type { WebhookEvent } from './api-types.ts';
import { SignatureError } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { importKeys, isSigned, readRawBody, readSecrets } from './signature.ts';

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
