import { sha256 } from '../../../platform/values/digest.ts';

/** Characters of an `Idempotency-Key`. */
export const idempotencyKeyMax = 100;

const printableAscii = /^[\x20-\x7E]+$/;

/** The header `Idempotency-Key` (rule K4): 1 to 100 printable ASCII characters; undefined for any other text. */
export function parseIdempotencyKey(text: string): string | undefined {
  return printableAscii.test(text) && text.length <= idempotencyKeyMax ? text : undefined;
}

/**
 * The SHA-256 of a body as a JSON value, in hex: neither the order of members nor blanks between them change it.
 *
 * An absent member and one that is null differ, and so do two spellings of one VAT number, because these are other
 * bodies. The body must have been read before: a value that is nested without end cannot be digested.
 */
export function digestBody(body: unknown): string {
  return sha256(JSON.stringify(body, (_key, value: unknown) => withSortedMembers(value)) ?? '');
}

function withSortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
