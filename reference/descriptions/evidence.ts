import { Type } from 'typebox';
import { instantSchema, orNull } from './common.ts';
import type { Reference } from './route-description.ts';
import { checkInPath, noCheck } from '../../src/vat-check/stored/requests/definitions.ts';

const base64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
const thumbprint = '^[\\w-]{43}$';
const bytes = (description: string) => Type.String({ pattern: base64, description });
const digest = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const publicKeyFields = {
  crv: Type.Enum(['Ed25519']),
  kty: Type.Enum(['OKP']),
  x: Type.String({ pattern: thumbprint, description: 'The 32 bytes of the key, as base64url.' }),
};
const publicKey = Type.Object(publicKeyFields, {
  description: 'The key that signed, as JWK (RFC 8037).',
});

const evidence = Type.Object(
  {
    id: Type.String({ description: 'The id of the check.' }),
    registry: Type.Enum(['vies']),
    endpoint: Type.String({ description: 'The address that the request was sent to.' }),
    requestedAt: instantSchema,
    answeredAt: orNull(
      instantSchema,
      'The end of the response; null if the end was not received, for example because of a timeout.',
    ),
    request: bytes('The bytes that were sent to the registry, as base64.'),
    response: bytes('The bytes that were received, as base64; empty if there were none.'),
    requestSha256: digest('SHA-256 of the bytes that were sent.'),
    responseSha256: digest('SHA-256 of the bytes that were received.'),
    manifest: bytes(
      'The signed bytes, as base64: canonical JSON (RFC 8785) of the fields above except the two bodies, of the check as you receive it, and of name and version of the program.',
    ),
    signature: bytes("The Ed25519 signature of the manifest's bytes, as base64."),
    keyId: Type.String({
      pattern: thumbprint,
      description: 'The thumbprint of the key (RFC 7638).',
    }),
    publicKey,
  },
  {
    $id: 'Evidence',
    description: 'Signed evidence of what the registry was queried and answered.',
  },
);

const publishedKey = Type.Object({
  ...publicKeyFields,
  kid: Type.String({ pattern: thumbprint, description: 'Its thumbprint: `keyId` of evidence.' }),
  alg: Type.Enum(['EdDSA']),
  use: Type.Enum(['sig']),
  createdAt: instantSchema,
  endedAt: orNull(
    instantSchema,
    'The moment from which it signs nothing more; null for the key that signs now.',
  ),
});

/** The routes of evidence (rules K15 and K16). */
export const evidenceReference: Reference = {
  getEvidence: {
    tag: 'Stored VAT checks',
    summary: 'Evidence of a check',
    access: 'limited',
    description:
      'The bytes of the newest exchange with the registry, signed when the check ended. Save the body, and `/evidence/keys` as `keys.json`: `vatfx evidence verify FILE --keys keys.json` verifies it without the service, and finds a change of any bit of a value.',
    parameters: [
      { ...checkInPath.id, name: 'id', in: 'path', schema: checkInPath.id.field.schema },
    ],
    answer: {
      status: 200,
      description: 'The evidence, as canonical JSON.',
      schema: evidence,
      cacheControl: ['private, no-store'],
    },
    errors: [
      { error: 'checkPending', when: 'The check has not ended.' },
      {
        ...noCheck,
        when: 'Your key has no check with this id, or the registry was not queried for it.',
      },
    ],
  },
  listEvidenceKeys: {
    tag: 'Stored VAT checks',
    summary: 'Keys of evidence',
    description:
      'The public keys that sign evidence or have signed it, as JWK set (RFC 7517), the newest first. Auditors need no API key for it.',
    access: 'public',
    answer: {
      status: 200,
      description: 'All keys; none before the first check has ended.',
      schema: Type.Object({ keys: Type.Array(publishedKey) }, { $id: 'EvidenceKeys' }),
      cacheControl: ['public, max-age=300'],
    },
  },
};
