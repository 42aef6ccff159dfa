import { InvalidArgumentError } from './errors.ts';
import { importKeys, readRawBody, sign } from './signature.ts';

/** The headers of a delivery, as the service sends them. */
export type SignedHeaders = {
  readonly 'content-type': string;
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

export type SignOptions = {
  /** By default `evt_test`. */
  readonly id?: string | undefined;
  /** Whole seconds since 1970; by default the current time. */
  readonly timestampSeconds?: number | undefined;
};

/** A fixed secret for tests. */
export const testSecret = 'whsec_dmF0ZngtY2xpZW50IHRlc3RzLCBub3QgYSBzZWNyZXQ=';

/**
 * Signs a body as the service does, for tests of a receiver. With several secrets it makes one signature for each,
 * as the service does during a rotation.
 *
 *     const headers = await signWebhook(body, testSecret);
 *     await fetch(receiver, { method: 'POST', headers, body });
 */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string | readonly string[],
  { id = 'evt_test', timestampSeconds = Math.floor(Date.now() / 1_000) }: SignOptions = {},
): Promise<SignedHeaders> {
  // Receivers accept whole seconds only.
  if (!Number.isSafeInteger(timestampSeconds)) {
    throw new InvalidArgumentError('timestampSeconds', 'whole seconds');
  }
  const timestamp = String(timestampSeconds);
  const parts = { id, timestamp, body: readRawBody(body) };
  const keys = await importKeys(secret, 'sign');
  const signatures = await Promise.all(keys.map(async (key) => sign(key, parts)));
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
