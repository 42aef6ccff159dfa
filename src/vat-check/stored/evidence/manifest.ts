import { type JsonObject, printCanonicalJson } from './canonical-json.ts';
import type { Evidence } from './definitions.ts';

/** The fields that the manifest and the evidence share, in the order in which their differences are reported. */
export const sharedFields = [
  'id',
  'registry',
  'endpoint',
  'requestedAt',
  'answeredAt',
  'requestSha256',
  'responseSha256',
] as const satisfies readonly (keyof Evidence)[];

/**
 * The signed part of the evidence of a check (rule K15): every other field of the evidence except the two bodies, which
 * it has as digests, the signature and the key.
 */
export type Manifest = Pick<Evidence, (typeof sharedFields)[number]> & {
  /** The check as a caller receives it (rule K5). */
  readonly check: JsonObject;
  /** The program that made the query. */
  readonly program: { readonly name: string; readonly version: string };
};

/** The bytes of a manifest: canonical JSON (RFC 8785) as UTF-8. */
export function printManifest(manifest: Manifest): Buffer {
  return Buffer.from(printCanonicalJson(manifest));
}
