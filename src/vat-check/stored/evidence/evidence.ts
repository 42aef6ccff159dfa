import { sha256 } from '../../../platform/values/digest.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import { readVersion } from '../../../platform/version.ts';
import type { RecordedExchange } from '../../registries/exchange-recorder.ts';
import { type JsonObject, printCanonicalJson } from './canonical-json.ts';
import type { Control, Evidence } from './definitions.ts';
import { digestControl, printManifest } from './manifest.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { signManifest } from './signature.ts';
import type { SigningKey } from './signing-key.ts';

export type { Evidence } from './definitions.ts';

/** The check that evidence is made of. */
type EvidenceOf = {
  /** The check as a caller receives it after its end (rule K5). */
  readonly check: JsonObject & { readonly id: string };
  /** The exchange that ended the check, or the newest one of a check that has expired. */
  readonly exchange: RecordedExchange;
  /** The control question that confirms its answer; left out if there was none. */
  readonly control?: Control | undefined;
  readonly registry: RegistryName;
  /** The version of the program; this one by default. */
  readonly version?: string;
};

/** Makes and signs the evidence of a check. */
export function makeEvidence(of: EvidenceOf, key: SigningKey): Evidence {
  const { check, exchange, control, registry, version = readVersion() } = of;
  const { request, response, answeredAt, head } = exchange;
  const shared = {
    id: check.id,
    registry,
    endpoint: exchange.url,
    requestedAt: formatInstant(exchange.requestedAt),
    answeredAt: answeredAt === undefined ? null : formatInstant(answeredAt),
    requestSha256: sha256(request),
    responseSha256: sha256(response),
  } as const;
  const ofHead = head === undefined ? {} : { head };
  const manifest = printManifest({
    ...shared,
    ...ofHead,
    ...(control && { control: digestControl(control) }),
    check,
    program: { name: 'vatfx', version },
  });
  return {
    ...shared,
    ...ofHead,
    ...(control && { control }),
    request: Buffer.from(request).toString('base64'),
    response: Buffer.from(response).toString('base64'),
    manifest: manifest.toString('base64'),
    signature: signManifest(manifest, key).toString('base64'),
    keyId: key.id,
    publicKey: key.publicKey,
  };
}

/**
 * Prints evidence as canonical JSON (RFC 8785). `evidence verify` accepts the same values in another layout, with a note.
 */
export function printEvidence(evidence: Evidence): string {
  return printCanonicalJson(evidence as unknown as JsonObject);
}
