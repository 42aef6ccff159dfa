import { createPublicKey, sign, verify } from 'node:crypto';
import type { PublicJwk } from './definitions.ts';
import type { SigningKey } from './signing-key.ts';

/** Signs the bytes of a manifest with Ed25519 (RFC 8032): 64 bytes, always the same for one key and text. */
export function signManifest(manifest: Uint8Array, { privateKey }: SigningKey): Buffer {
  return sign(null, manifest, privateKey);
}

/** Whether a signature is the one of these bytes by this key. */
export function isSignedBy(
  { crv, kty, x }: PublicJwk,
  manifest: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: { crv, kty, x }, format: 'jwk' });
    return verify(null, manifest, key, signature);
  } catch {
    // Not every text of 32 bytes is a point of the curve.
    return false;
  }
}
