import { decodeFile, parseObject } from './evidence-file.ts';
import type { PublishedKey } from './definitions.ts';
import { thumbprintOf, readPublicJwk } from './signing-key.ts';

export type { PublishedKey } from './definitions.ts';

/** Prints a list of keys (a JWK Set). */
export function printPublishedKeys(keys: readonly PublishedKey[]): string {
  return JSON.stringify({ keys });
}

/** Reads such a list from a file, in any layout. If it is none, the message of the error is a sentence for a person. */
export function readPublishedKeys(bytes: Uint8Array): readonly PublishedKey[] {
  const { keys } = parseObject(decodeFile(bytes, 'the file of keys'), 'the file of keys');
  if (!Array.isArray(keys)) throw new Error('the file of keys has no list "keys"');
  return keys.map((value, at) => readKey(value, at + 1));
}

function readKey(value: unknown, place: number): PublishedKey {
  const jwk = readPublicJwk(value);
  const { kid, createdAt, endedAt } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (jwk === undefined) throw new Error(`key ${place} in the file of keys is no Ed25519 key`);
  if (kid !== thumbprintOf(jwk)) {
    throw new Error(`key ${place} in the file of keys has a kid that is not its thumbprint`);
  }
  if (!isInstant(createdAt) || (endedAt !== null && !isInstant(endedAt))) {
    throw new Error(`key ${place} in the file of keys has no createdAt and endedAt`);
  }
  return { ...jwk, kid, alg: 'EdDSA', use: 'sig', createdAt, endedAt };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
