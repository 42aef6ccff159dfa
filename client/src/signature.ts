import { InvalidArgumentError } from './errors.ts';

/**
 * HMAC-SHA256 of `<id>.<timestamp>.<body>` (Standard Webhooks 1.0, Signature scheme), with Web Crypto.
 *
 * The service and this client are both tested with `vectors/webhook-signatures.json`.
 */

/** The signed data: id and timestamp as in the headers, and the raw body. */
export type SignedParts = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Uint8Array | string;
};

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Reads `whsec_…`. Throws for any other text; the message does not contain the text. */
export async function importSecret(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = decodeBase64(/^whsec_(.+)$/s.exec(secret)?.[1] ?? '');
  // Standard Webhooks allows 24 to 64 bytes. The service's secrets have 32.
  if (bytes === undefined || bytes.length < 24 || bytes.length > 64) {
    throw new InvalidArgumentError('secret', 'whsec_ and 24 to 64 bytes in base64');
  }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, [use]);
}

/** Makes one signature, `v1,…`. */
export async function sign(key: CryptoKey, parts: SignedParts): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', key, toSign(parts));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** Whether one of the signatures `v1,…` in a header is by this key. Web Crypto compares in constant time. */
export async function isSigned(
  key: CryptoKey,
  header: string,
  parts: SignedParts,
): Promise<boolean> {
  const message = toSign(parts);
  // The service sends one or two signatures. More are not checked, because each check takes time.
  for (const entry of header.split(' ').slice(0, signaturesMax)) {
    const bytes = entry.startsWith('v1,') ? decodeBase64(entry.slice(3)) : undefined;
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, message))) {
      return true;
    }
  }
  return false;
}

const signaturesMax = 20;

function toSign({ id, timestamp, body }: SignedParts): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const rest = typeof body === 'string' ? encoder.encode(body) : body;
  const message = new Uint8Array(head.length + rest.length);
  message.set(head);
  message.set(rest, head.length);
  return message;
}

/** Decodes canonical base64 (with padding, without blanks); undefined for any other text. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    return undefined;
  }
  const binary = atob(text);
  // The last digit may have unused bits. If they were ignored, several texts would be one signature.
  if (btoa(binary) !== text) return undefined;
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
