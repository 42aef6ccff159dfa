import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { printCanonicalJson } from './canonical-json.ts';
import type { PublicJwk } from './definitions.ts';

/** A key that signs evidence (rule K15). */
export type SigningKey = {
  readonly id: string;
  readonly publicKey: PublicJwk;
  readonly privateKey: KeyObject;
};

/** Makes a new key from random bytes of the operating system. */
export function makeSigningKey(): SigningKey {
  return toSigningKey(generateKeyPairSync('ed25519').privateKey);
}

/** Prints the private key as base64 of its PKCS #8 form. The text is a secret, and is stored only encrypted. */
export function printPrivateKey({ privateKey }: SigningKey): string {
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

/** Reads a text of {@link printPrivateKey}; throws for anything else. */
export function readPrivateKey(text: string): SigningKey {
  const key = Buffer.from(text, 'base64');
  return toSigningKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
}

/**
 * The id of a public key: its thumbprint (RFC 7638), the SHA-256 of the key in canonical form as base64url.
 *
 * It is the fingerprint that a person compares with the published one.
 */
export function thumbprintOf({ crv, kty, x }: PublicJwk): string {
  return createHash('sha256').update(printCanonicalJson({ crv, kty, x })).digest('base64url');
}

/** Reads a public key that a file contains; undefined unless it has exactly one spelling of an Ed25519 key. */
export function readPublicJwk(value: unknown): PublicJwk | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { crv, kty, x } = value as Readonly<Record<string, unknown>>;
  if (crv !== 'Ed25519' || kty !== 'OKP' || typeof x !== 'string') return undefined;
  const bytes = Buffer.from(x, 'base64url');
  // Node ignores foreign characters and spare bits, so a changed text could be the same key.
  return bytes.length === 32 && bytes.toString('base64url') === x ? { crv, kty, x } : undefined;
}

function toSigningKey(privateKey: KeyObject): SigningKey {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('expected an Ed25519 key');
  const publicKey = readPublicJwk(createPublicKey(privateKey).export({ format: 'jwk' }));
  if (publicKey === undefined) throw new Error('expected an Ed25519 key');
  return { id: thumbprintOf(publicKey), publicKey, privateKey };
}
