import { hash } from 'node:crypto';

/** How long an answer may be kept, by whom (interface 4). */
export const cachePolicies = {
  latest: 'public, max-age=3600, stale-while-revalidate=86400',
  changes: 'public, max-age=300, stale-while-revalidate=86400',
  immutable: 'public, max-age=31536000, immutable',
} as const;

export type CachePolicy = keyof typeof cachePolicies;

/** A body as bytes that are made once, with its validator. */
export type Representation = {
  readonly body: Buffer;
  /** Strong: a hash of the exact bytes, so the same on every replica and after a restart; null for none. */
  readonly etag: string | null;
  /** The media type. */
  readonly type: string;
};

const json = 'application/json; charset=utf-8';

/** A body with its validator. */
export function createRepresentation(
  content: string | Buffer,
  type = json,
): Representation & { readonly etag: string } {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`, type };
}

/** JSON that nobody keeps for long enough to ask whether it has changed. */
export function withoutValidator(text: string): Representation {
  return { body: Buffer.from(text), etag: null, type: json };
}

/** Whether If-None-Match names an ETag, weakly compared (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  // Our tags hold no comma, so a foreign tag that does only splits into parts that match nothing.
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
