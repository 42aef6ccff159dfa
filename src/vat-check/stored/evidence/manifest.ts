import { type JsonObject, printCanonicalJson } from './canonical-json.ts';
import { sha256 } from '../../../platform/values/digest.ts';
import type { Control, Evidence } from './definitions.ts';

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
  /** The head of the response, as in the evidence. */
  readonly head?: Evidence['head'];
  /** The control question, its bodies as digests. */
  readonly control?: ControlDigest;
  /** The check as a caller receives it (rule K5). */
  readonly check: JsonObject;
  /** The program that made the query. */
  readonly program: { readonly name: string; readonly version: string };
};

type ControlDigest = Omit<Control, 'request' | 'response'> & {
  readonly requestSha256: string;
  readonly responseSha256: string;
};

/** A control question as the manifest has it. */
export function digestControl({ request, response, ...control }: Control): ControlDigest {
  return {
    ...control,
    requestSha256: sha256(Buffer.from(request, 'base64')),
    responseSha256: sha256(Buffer.from(response, 'base64')),
  };
}

/** The bytes of a manifest: canonical JSON (RFC 8785) as UTF-8. */
export function printManifest(manifest: Manifest): Buffer {
  return Buffer.from(printCanonicalJson(manifest as unknown as JsonObject));
}
