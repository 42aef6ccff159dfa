import { hash } from 'node:crypto';

/** Values of Cache-Control: how long, and by which caches, an answer may be kept (interface 4). */
export const cachePolicies = {
  latest: 'public, max-age=3600, stale-while-revalidate=86400',
  changes: 'public, max-age=300, stale-while-revalidate=86400',
  immutable: 'public, max-age=31536000, immutable',
} as const;

export type CachePolicy = keyof typeof cachePolicies;

export const jsonType = 'application/json; charset=utf-8';

/** A longer body is sent as a buffer. */
const textBytesMax = 16_384;

/** A body with its validator. */
export class Representation {
  /** A strong validator: a hash of the exact bytes, the same on every replica and after a restart. Null for none. */
  readonly etag: string | null;
  /** The media type. */
  readonly type: string;
  /** In bytes. */
  readonly length: number;
  /**
   * The bytes in the form in which they are sent. Few are a text with one character for each (latin1), which Node writes
   * together with the head of a response. Many are a buffer: a text would be copied for each client that reads slowly. It is
   * no part of a block that Node shares between buffers, because the whole block would be kept with it.
   */
  readonly sent: string | Buffer;

  constructor(
    content: string | Buffer,
    { etag, type }: { readonly etag: string | null; readonly type: string },
  ) {
    this.etag = etag;
    this.type = type;
    this.length = Buffer.byteLength(content);
    this.sent = toSent(content, this.length);
  }

  get body(): Buffer {
    return typeof this.sent === 'string' ? Buffer.from(this.sent, 'latin1') : this.sent;
  }
}

function toSent(content: string | Buffer, length: number): string | Buffer {
  if (length > textBytesMax) return Buffer.from(new Uint8Array(Buffer.from(content)).buffer);
  // Only a text of ASCII has as many characters as bytes: it is sent as it is.
  const isSent = typeof content === 'string' && content.length === length;
  return isSent ? content : Buffer.from(content).toString('latin1');
}

/** A body with its validator. */
export function createRepresentation(
  content: string | Buffer,
  type = jsonType,
): Representation & { readonly etag: string } {
  const etag = `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  return new Representation(content, { etag, type }) as Representation & { readonly etag: string };
}

/** JSON that is kept so briefly that no cache revalidates it. */
export function withoutValidator(text: string): Representation {
  return new Representation(text, { etag: null, type: jsonType });
}

/** What a proxy that compresses an answer appends to its tag: Apache `-gzip`, Jetty `--gzip`, others `;gzip`, `-br`. */
const codingSuffix = /(?:--?|;)(?:gzip|br|df|deflate|zstd)"$/;

/**
 * Whether If-None-Match names an ETag, weakly compared (RFC 9110 §13.1.2). The tag of an answer that a proxy compressed
 * is the same tag: the proxy passes a 304 on (contract C9).
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  // Our tags hold no comma, so a foreign tag that does only splits into parts that match nothing.
  return header.split(',').some((given) => {
    const tag = given.trim().replace(/^W\//, '');
    // A tag may end like a suffix by chance, so it is compared as it is first.
    return tag === etag || tag.replace(codingSuffix, '"') === etag;
  });
}
