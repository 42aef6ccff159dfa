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

/** The keys of one `whsec_…` or a list of them. Throws as `readSecrets` does. */
export async function importKeys(secret: unknown, use: 'sign' | 'verify'): Promise<CryptoKey[]> {
  const secrets = readSecrets(secret);
  return Promise.all(
    secrets.map(async (bytes) => crypto.subtle.importKey('raw', bytes, algorithm, false, [use])),
  );
}

/**
 * Reads one `whsec_…` or a list of them. Throws for anything else, such as an environment variable that is not set or an
 * empty list; the message contains no part of a secret.
 */
export function readSecrets(secret: unknown): readonly Uint8Array<ArrayBuffer>[] {
  const secrets: readonly unknown[] =
    Array.isArray(secret) && secret.length > 0 ? secret : [secret];
  return secrets.map(readSecret);
}

function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret : '';
  const bytes = decodeBase64(/^whsec_(.+)$/s.exec(text)?.[1] ?? '');
  // Standard Webhooks allows 24 to 64 bytes. The service's secrets have 32.
  if (bytes === undefined || bytes.length < 24 || bytes.length > 64) {
    throw new InvalidArgumentError('secret', 'whsec_ and 24 to 64 bytes in base64');
  }
  return bytes;
}

/** The bytes or the text of a received body. Throws for one that was parsed, or has not been read. */
export function readRawBody(rawBody: unknown): Uint8Array | string {
  if (typeof rawBody === 'string') return rawBody;
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  }
  // `instanceof ArrayBuffer` fails in test environments that have their own ArrayBuffer.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]') {
    return new Uint8Array(rawBody as ArrayBuffer);
  }
  throw new InvalidArgumentError(
    'body',
    'the bytes or the text that were received, not the parsed body',
  );
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
