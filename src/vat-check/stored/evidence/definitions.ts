import { instant } from '../../../platform/fields/dates.ts';
import * as schema from '../../../platform/fields/schema.ts';
import { defineRoute } from '../../../platform/http/routes/define-route.ts';
import { registryNames } from '../../registries/registry.ts';
import { cacheControl, checkInPath, noCheck, tag } from '../requests/definitions.ts';

const { absentable, integer, list, object, oneOf, orNull, string } = schema;

const base64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
const thumbprint = '^[\\w-]{43}$';
const bytes = (description: string) => string({ pattern: base64, description });
const digest = (description: string) => string({ pattern: '^[0-9a-f]{64}$', description });

const publicKeyFields = {
  crv: oneOf(['Ed25519']),
  kty: oneOf(['OKP']),
  x: string({ pattern: thumbprint, description: 'The 32 bytes of the key, as base64url.' }),
};

const publicKey = object(publicKeyFields, {
  description: 'The key that signed, as JWK (RFC 8037).',
});

/** An Ed25519 public key (RFC 8037, section 2). */
export type PublicJwk = schema.ValueOf<typeof publicKey>;

const head = object(
  {
    httpStatus: integer({ description: 'The HTTP status.' }),
    date: orNull(string(), 'The header `Date` as it was sent; null if there was none.'),
  },
  {
    description:
      'The head of the response, as far as the answer depends on it; left out for VIES, whose body decides alone.',
  },
);

const control = object(
  {
    endpoint: string(),
    requestedAt: instant,
    answeredAt: orNull(instant),
    request: bytes('The bytes that were sent, as base64.'),
    response: bytes('The bytes that were received, as base64.'),
    head: absentable(head),
  },
  {
    description:
      'The control question that confirms a false answer of HMRC to a question without a requester; left out if there was none.',
  },
);

/** The exchange of a control question (rule M10). */
export type Control = schema.ValueOf<typeof control>;

const evidence = object(
  {
    id: string({ description: 'The id of the check.' }),
    registry: oneOf(registryNames),
    endpoint: string({ description: 'The address that the request was sent to.' }),
    requestedAt: instant,
    answeredAt: orNull(
      instant,
      'The end of the response; null if the end was not received, for example because of a timeout.',
    ),
    request: bytes(
      'The bytes that were sent to the registry, as base64: the body, or of a GET the request line and `Accept`.',
    ),
    response: bytes('The bytes that were received, as base64; empty if there were none.'),
    head: absentable(head),
    control: absentable(control),
    requestSha256: digest('SHA-256 of the bytes that were sent.'),
    responseSha256: digest('SHA-256 of the bytes that were received.'),
    manifest: bytes(
      'The signed bytes, as base64: canonical JSON (RFC 8785) of the fields above except the bodies, which it has as digests, of the check as you receive it, and of name and version of the program.',
    ),
    signature: bytes("The Ed25519 signature of the manifest's bytes, as base64."),
    keyId: string({ pattern: thumbprint, description: 'The thumbprint of the key (RFC 7638).' }),
    publicKey,
  },
  {
    $id: 'Evidence',
    description: 'Signed evidence of what the registry was queried and answered.',
  },
);

/** The evidence of a check as a caller receives it (rule K15). */
export type Evidence = schema.ValueOf<typeof evidence>;

const publishedKey = object({
  ...publicKeyFields,
  kid: string({ pattern: thumbprint, description: 'Its thumbprint: `keyId` of evidence.' }),
  alg: oneOf(['EdDSA']),
  use: oneOf(['sig']),
  createdAt: instant,
  endedAt: orNull(
    instant,
    'The moment from which it signs nothing more; null for the key that signs now.',
  ),
});

/** A public key of the service with the time in which it signed, as `GET /evidence/keys` lists it (RFC 7517). */
export type PublishedKey = schema.ValueOf<typeof publishedKey>;

export const getEvidence = defineRoute({
  operation: 'getEvidence',
  tag,
  summary: 'Evidence of a check',
  access: 'limited',
  description:
    'The bytes of the newest exchange with the registry, signed when the check ended. Save the body, and `/evidence/keys` as `keys.json`: `vatfx evidence verify FILE --keys keys.json` verifies it without the service, and finds a change of any bit of a value.',
  path: checkInPath,
  answer: { description: 'The evidence, as canonical JSON.', schema: evidence, cacheControl },
  errors: [
    { error: 'checkPending', when: 'The check has not ended.' },
    {
      ...noCheck,
      when: 'Your key has no check with this id, or the registry was not queried for it.',
    },
  ],
});

/** How long caches may keep the keys. */
export const keysCaching = 'public, max-age=300';

export const listEvidenceKeys = defineRoute({
  operation: 'listEvidenceKeys',
  tag,
  summary: 'Keys of evidence',
  description:
    'The public keys that sign evidence or have signed it, as JWK set (RFC 7517), the newest first. Auditors need no API key for it.',
  access: 'public',
  answer: {
    description: 'All keys; none before the first check has ended.',
    schema: object({ keys: list(publishedKey) }, { $id: 'EvidenceKeys' }),
    cacheControl: [keysCaching],
  },
});
