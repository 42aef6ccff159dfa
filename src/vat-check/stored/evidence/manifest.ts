import { type JsonObject, printCanonicalJson } from './canonical-json.ts';

/**
 * The signed part of the evidence of a check (rule K15): every other field of the evidence except the two bodies, which
 * it has as digests, the signature and the key.
 */
export type Manifest = {
  /** The id of the check. */
  readonly id: string;
  readonly registry: 'vies';
  /** The address that the request was sent to. */
  readonly endpoint: string;
  /** An instant. */
  readonly requestedAt: string;
  /** The end of the response; null if the end was not reached. */
  readonly answeredAt: string | null;
  /** SHA-256 of the bytes that were sent, as 64 hex digits. */
  readonly requestSha256: string;
  readonly responseSha256: string;
  /** The check as a caller receives it (rule K5). */
  readonly check: JsonObject;
  /** The program that made the query. */
  readonly program: { readonly name: string; readonly version: string };
};

/** The fields that the manifest and the evidence share, in the order in which their differences are reported. */
export const sharedFields = [
  'id',
  'registry',
  'endpoint',
  'requestedAt',
  'answeredAt',
  'requestSha256',
  'responseSha256',
] as const satisfies readonly (keyof Manifest)[];

/** The bytes of a manifest: canonical JSON (RFC 8785) as UTF-8. */
export function printManifest(manifest: Manifest): Buffer {
  return Buffer.from(printCanonicalJson(manifest));
}
