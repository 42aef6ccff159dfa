import type { JsonObject } from '../../../src/vat-check/stored/evidence/canonical-json.ts';
import {
  type Evidence,
  makeEvidence,
  printEvidence,
} from '../../../src/vat-check/stored/evidence/evidence.ts';
import type { PublishedKey } from '../../../src/vat-check/stored/evidence/published-keys.ts';
import {
  makeSigningKey,
  type SigningKey,
} from '../../../src/vat-check/stored/evidence/signing-key.ts';
import { printCheckVatApprox } from '../../../src/vat-check/registries/vies/request.ts';
import { approxText } from './vies-texts.ts';

export const endpoint = 'https://registry.example/checkVatService';

/** The check of a Spanish number with a requester and a trader, as the registry of `matchedText` answers it. */
export const answeredCheck = {
  id: 'vc_3f9a1c5be0d27748',
  status: 'answered',
  countryCode: 'ES',
  vatNumber: 'ESB83891812',
  requestDate: '2026-11-20+01:00',
  valid: true,
  name: null,
  address: null,
  consultationNumber: 'WAPIAAAAZNgfuVoL',
  requester: { countryCode: 'NL', vatNumber: '854265259B01' },
  trader: {
    name: 'Ejemplo S.L.',
    street: null,
    postcode: '28001',
    city: 'Madrid',
    companyType: null,
  },
  traderMatch: {
    name: 'valid',
    street: null,
    postcode: 'valid',
    city: 'invalid',
    companyType: null,
  },
  registry: 'vies',
  queriedNumber: 'ESB83891812',
  hint: 'prefix removed',
  reference: 'cust_1001',
  error: null,
  attempts: 1,
  batchId: null,
  createdAt: '2026-11-20T16:00:00.000Z',
  answeredAt: '2026-11-20T16:00:01.500Z',
  nextAttemptAt: null,
  expiresAt: null,
};

export const matchedText = approxText({
  countryCode: 'ES',
  vatNumber: 'B83891812',
  traderName: 'Ejemplo S.L.',
  traderAddress: null,
  traderPostcode: '28001',
  traderCity: 'Madrid',
  traderNameMatch: '1',
  traderStreetMatch: '3',
  traderPostcodeMatch: '1',
  traderCityMatch: '2',
});

export const approxRequest = printCheckVatApprox({
  vatNumber: { registryCode: 'ES', number: 'B83891812' },
  requester: { registryCode: 'NL', number: '854265259B01' },
  trader: { name: 'Ejemplo S.L.', postcode: '28001', city: 'Madrid' },
});

/** Evidence of `answeredCheck` with some other fields, made by a new key unless one is given. */
export function evidenceOf(
  other: {
    readonly check?: JsonObject;
    readonly request?: string;
    readonly response?: string;
    readonly answeredAt?: number | undefined;
  } = {},
  key: SigningKey = makeSigningKey(),
): Evidence {
  const encode = (text: string) => new TextEncoder().encode(text);
  const requestedAt = Date.parse('2026-11-20T16:00:00.250Z');
  return makeEvidence(
    {
      check: { ...answeredCheck, ...other.check },
      exchange: {
        url: endpoint,
        request: encode(other.request ?? approxRequest),
        requestedAt,
        response: encode(other.response ?? matchedText),
        answeredAt: 'answeredAt' in other ? other.answeredAt : requestedAt + 1_000,
      },
      registry: 'vies',
      version: '1.2.3',
    },
    key,
  );
}

/** The bytes of the file of a check, as a caller saves them. */
export function fileOf(evidence: Evidence): Buffer {
  return Buffer.from(printEvidence(evidence));
}

/** A key as the service publishes it. */
export function publish(
  { id, publicKey }: SigningKey,
  endedAt: string | null = null,
): PublishedKey {
  const use = { kid: id, alg: 'EdDSA', use: 'sig' } as const;
  return { ...publicKey, ...use, createdAt: '2026-01-01T00:00:00.000Z', endedAt };
}
