import { createHash } from 'node:crypto';
import { type Evidence, makeEvidence } from '../src/vat-check/stored/evidence/evidence.ts';
import type { Manifest } from '../src/vat-check/stored/evidence/manifest.ts';
import type { PublishedKey } from '../src/vat-check/stored/evidence/published-keys.ts';
import { readPrivateKey } from '../src/vat-check/stored/evidence/signing-key.ts';

/** The beginning of an Ed25519 private key in PKCS #8 form, before its 32 bytes. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The evidence of an example with its random values replaced, signed with a key that is always the same. It holds as the
 * real one does.
 */
export function signAgain(
  evidence: Evidence,
  replace: (text: string) => string,
): { readonly evidence: Evidence; readonly key: PublishedKey } {
  const seed = createHash('sha256').update('a key for examples').digest();
  const key = readPrivateKey(Buffer.concat([pkcs8Head, seed]).toString('base64'));
  const decode = (base64: string): string => replace(Buffer.from(base64, 'base64').toString());
  const manifest = JSON.parse(decode(evidence.manifest)) as Manifest & {
    readonly check: { readonly id: string };
  };
  const { requestedAt, answeredAt } = evidence;
  const again = makeEvidence(
    {
      check: manifest.check,
      registry: evidence.registry,
      exchange: {
        url: manifest.endpoint,
        request: Buffer.from(decode(evidence.request)),
        response: Buffer.from(decode(evidence.response)),
        requestedAt: Date.parse(requestedAt),
        answeredAt: answeredAt === null ? undefined : Date.parse(answeredAt),
      },
    },
    key,
  );
  const use = { kid: key.id, alg: 'EdDSA', use: 'sig' } as const;
  const createdAt = '2026-11-20T16:00:00.000Z';
  return { evidence: again, key: { ...key.publicKey, ...use, createdAt, endedAt: null } };
}
