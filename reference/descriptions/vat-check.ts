import { Type } from 'typebox';
import { orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const vatCheckResult = Type.Object(
  {
    countryCode: Type.String({
      description: 'The country as in the path: GR stays GR, and EL stays EL.',
    }),
    vatNumber: Type.String({ description: 'The number as in the path.' }),
    requestDate: Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d([+-]\\d\\d:\\d\\d|Z)$',
      description:
        'The date of the check, as the registry states it: a date with an offset from UTC.',
    }),
    valid: Type.Boolean({
      description: 'False only if the registry looked the number up and it is not registered.',
    }),
    name: orNull(Type.String(), 'The name of the trader; null if it is not disclosed.'),
    address: orNull(
      Type.String(),
      'The address, with its line breaks; null if it is not disclosed.',
    ),
  },
  { $id: 'VatCheckResult', description: 'The answer of the registry about a VAT number.' },
);

const failed = 'The registry could not be queried, or its answer cannot be trusted.';

/** The route of VAT checks (interface 4.5). */
export const vatCheckReference: Reference = {
  checkVatNumber: {
    tag: 'VAT checks',
    summary: 'Check a VAT number',
    description:
      'Queries VIES, the registry of the European Commission, which queries the Member State. An answer is cached for 5 to 60 minutes, and a cached answer is not charged. An outage is a 502 or 503, never an answer with `valid: false`.',
    parameters: [
      {
        name: 'country',
        in: 'path',
        description:
          'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI. MC (Monaco) is read as FR, UK as GB, and GB as XI if the number begins with XI. For two letters without a registry (US) the number is asked at the registry whose letters and form it has.',
        schema: Type.String(),
        example: 'AT',
      },
      {
        name: 'vat',
        in: 'path',
        description:
          'The VAT number: 2 to 12 letters, digits, `+` and `*`. Letter case and separators of every kind (spaces, dots, dashes, slashes, commas, quotes, parentheses) do not matter, and full-width characters are read as ASCII (Unicode NFKC). The code of this country in front of the number is removed, unless the whole is a number of this country (`DE811115368`). The code of another country is not removed. Belgian, Greek and Dutch numbers get leading zeros that they have lost. A German W-IdNr (`123456789-00001`) is read as its first nine digits.',
        schema: Type.String(),
        example: 'U99999901',
      },
    ],
    answer: {
      status: 200,
      description: 'The answer of the registry.',
      schema: vatCheckResult,
      hasHint: true,
      cacheControl: {
        pattern: '^private, max-age=[1-9]\\d{2,3}$',
        example: 'private, max-age=3600',
      },
    },
    errors: [
      {
        error: 'invalidInput',
        when: 'The country is unknown to the registry, or the number does not have 2 to 12 characters with at least one digit. Letters and digits of other scripts are not accepted.',
      },
      { error: 'registryBlocked', when: failed },
      { error: 'registryBlockedNumber', when: failed },
      { error: 'registryUnknownCode', when: failed },
      { error: 'registryWebPage', when: failed },
      { error: 'registryUnreadable', when: failed },
      { error: 'registryOtherNumber', when: failed },
      { error: 'registryUnreachable', when: failed },
      { error: 'memberStateDown', when: 'The registry of the Member State is down or busy.' },
      { error: 'registryDown', when: 'VIES as a whole is down or busy, or blocks this service.' },
      { error: 'registryTimeout', when: 'The registry did not answer within ten seconds.' },
    ],
  },
};
