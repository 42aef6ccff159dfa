import { hash } from 'node:crypto';

/** The SHA-256 of text or bytes, as 64 hex digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/**
 * An id that depends only on its parts: a prefix and 24 hex digits.
 *
 * The parts are joined by a line feed, which none of them may contain.
 */
export function stableId(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}_${sha256(parts.join('\n')).slice(0, 24)}`;
}
