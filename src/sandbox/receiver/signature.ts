import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import type { Webhook } from 'standardwebhooks';

/** Null if there is no secret to verify with. */
export type Verdict =
  | { readonly verified: true | null }
  | { readonly verified: false; readonly why: string };

/** How far a delivery's timestamp may be from the clock, as in the library. */
const toleranceSeconds = 300;

/**
 * Checks a delivery as a receiver has to: headers, timestamp, then the signature over the raw bytes
 * (Standard Webhooks, Verifying webhooks).
 *
 * The library's `verify` compares the timestamp with the real clock, but the service that sends is in the
 * sandbox's time. Therefore the signature is made again with the library's `sign` and compared here.
 */
export function checkSignature(
  webhooks: readonly Webhook[],
  delivery: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer },
  nowMs: number,
): Verdict {
  if (webhooks.length === 0) return { verified: null };

  const { headers, bytes } = delivery;
  const [id, timestamp, signatures] = signatureHeaders.map((name) => headers[name]?.toString());
  if (!id || !timestamp || !signatures) {
    const missing = signatureHeaders.filter((name) => !headers[name]);
    return refused(`missing: ${missing.join(', ')}`);
  }
  const problem = problemWith(timestamp, nowMs);
  if (problem !== undefined) return refused(problem);
  // The library signs text: bytes that are not UTF-8 would be replaced before they are signed.
  if (!isUtf8(bytes)) return refused('the body is not UTF-8');

  const moment = new Date(Number(timestamp) * 1_000);
  const given = signatures.split(' ');
  const isSigned = webhooks.some((webhook) => {
    const expected = webhook.sign(id, moment, bytes);
    return given.some((signature) => equals(signature, expected));
  });
  return isSigned ? { verified: true } : refused('no signature is by a known secret');
}

const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function refused(why: string): Verdict {
  return { verified: false, why };
}

/** The problem with a timestamp, if there is one. */
function problemWith(timestamp: string, nowMs: number): string | undefined {
  if (!/^[1-9][0-9]{0,10}$/.test(timestamp)) return 'webhook-timestamp is not in whole seconds';
  const seconds = Math.floor(nowMs / 1_000) - Number(timestamp);
  if (Math.abs(seconds) <= toleranceSeconds) return undefined;
  return (
    `webhook-timestamp is ${Math.abs(seconds)} s ${seconds > 0 ? 'old' : 'in the future'}, ` +
    `at most ${toleranceSeconds} are accepted`
  );
}

function equals(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
