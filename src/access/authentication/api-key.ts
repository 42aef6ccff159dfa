import { crc32 } from 'node:zlib';
import {
  base62,
  checksumChars,
  keyLength,
  keyPrefix,
  printChecksum,
  secretChars,
} from './key-form.ts';

const keyPattern = /^vfx_[0-9A-Za-z]{49}$/;

/** Prints 32 random bytes as a key. */
export function formatApiKey(randomBytes: Uint8Array): string {
  let secret = '';
  const value = BigInt(`0x${Buffer.from(randomBytes).toString('hex')}`);
  for (let rest = value; rest > 0n; rest /= 62n) {
    secret = (base62[Number(rest % 62n)] ?? '') + secret;
  }
  const head = keyPrefix + secret.padStart(secretChars, '0');
  return head + checksum(head);
}

/** Whether a text has the form and the checksum of a key; such a key need not exist. */
export function hasKeyForm(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const head = text.slice(0, -checksumChars);
  return text === head + checksum(head);
}

/** The credentials of a request. */
export type Presented =
  | { readonly kind: 'key'; readonly key: string }
  /** The reason is for the caller: it is about the form of the request, and says nothing of a key. */
  | { readonly kind: 'missing' | 'malformed'; readonly reason: string };

/**
 * Reads the key from a request's header lines, names and values in turn.
 *
 * Two Authorization headers are malformed, because it is undefined which of them counts (contract C25). The
 * scheme is compared case-insensitively (RFC 9110 §11.1).
 */
export function readAuthorization(rawHeaders: readonly string[]): Presented {
  let header: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (header !== undefined) return malformed('more than one Authorization header');
    header = rawHeaders[at + 1];
  }
  if (header === undefined) return { kind: 'missing', reason: 'no Authorization header' };
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (key !== undefined && hasKeyForm(key)) return { kind: 'key', key };
  if (!/^Bearer(?: |$)/i.test(header)) return malformed('expected the scheme Bearer');
  if (key === undefined) return malformed('expected one key behind Bearer');
  if (key.length !== keyLength) return malformed(`a key has ${keyLength} characters`);
  if (!keyPattern.test(key)) return malformed('a key is vfx_ and letters and digits');
  return malformed('the checksum of the key does not match');
}

function malformed(reason: string): Presented {
  return { kind: 'malformed', reason };
}

function checksum(head: string): string {
  return printChecksum(crc32(head));
}
