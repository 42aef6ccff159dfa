import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
  /** Strong: a hash of the exact bytes, so the same on every replica and after a restart. */
  readonly etag: string;
  /** The media type where it is not JSON. */
  readonly type?: string;
};

export function createRepresentation(text: string): Representation {
  const body = Buffer.from(text);
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"` };
}

/** Answers 200 with a representation, or 304 to a caller who has it (contract C9). */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  policy: CachePolicy,
): FastifyReply {
  reply.header('etag', representation.etag).header('cache-control', cachePolicies[policy]);
  if (matches(request.headers['if-none-match'], representation.etag)) {
    return reply.code(304).send();
  }
  const { type = 'application/json; charset=utf-8', body } = representation;
  return reply.type(type).send(body);
}

/** Whether If-None-Match names an ETag, weakly compared (RFC 9110 §13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  // Our tags hold no comma, so a foreign tag that does only splits into parts that match nothing.
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
