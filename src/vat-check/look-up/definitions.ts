import { anyText } from '../../platform/fields/field.ts';
import { boolean, object, orNull, string } from '../../platform/fields/schema.ts';
import { defineRoute } from '../../platform/http/routes/define-route.ts';

const vatCheckResult = object(
  {
    countryCode: string({
      description: 'The country as in the path: GR stays GR, and EL stays EL.',
    }),
    vatNumber: string({ description: 'The number as in the path.' }),
    requestDate: string({
      pattern: '^\\d{4}-\\d\\d-\\d\\d([+-]\\d\\d:\\d\\d|Z)$',
      description:
        'The date of the check, as the registry states it: a date with an offset from UTC.',
    }),
    valid: boolean({
      description: 'False only if the registry looked the number up and it is not registered.',
    }),
    name: orNull(string(), 'The name of the trader; null if it is not disclosed.'),
    address: orNull(string(), 'The address, with its line breaks; null if it is not disclosed.'),
  },
  { $id: 'VatCheckResult', description: 'The answer of the registry about a VAT number.' },
);

const failed = 'The registry could not be queried, or its answer cannot be trusted.';

/** The route of VAT checks (interface 4.5). */
export const checkVatNumber = defineRoute({
  operation: 'checkVatNumber',
  tag: 'VAT checks',
  summary: 'Check a VAT number',
  description:
    'Queries VIES, the registry of the European Commission, which queries the Member State. An answer is cached for 5 to 60 minutes, and a cached answer is not charged. An outage is a 502 or 503, never an answer with `valid: false`.',
  ignoresUnknown: true,
  // Both together are a number or none, so one text refuses them.
  path: {
    country: {
      field: anyText(string()),
      description:
        'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI. MC (Monaco) is read as FR, UK as GB, and GB as XI if the number begins with XI. For two letters without a registry (US) the number is asked at the registry whose letters and form it has.',
      example: 'AT',
    },
    vat: {
      field: anyText(string()),
      description:
        'The VAT number: 2 to 12 letters, digits, `+` and `*`. Letter case and separators of every kind (spaces, dots, dashes, slashes, commas, quotes, parentheses) do not matter, and full-width characters are read as ASCII (Unicode NFKC). The code of this country in front of the number is removed, unless the whole is a number of this country (`DE811115368`). The code of another country is not removed. Belgian, Greek and Dutch numbers get leading zeros that they have lost. A German W-IdNr (`123456789-00001`) is read as its first nine digits.',
      example: 'U99999901',
    },
  },
  answer: {
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
  examples: [
    { path: '/vatcheck/AT/U99999901', summary: 'A registered number' },
    {
      path: '/vatcheck/gr/999999901',
      summary: 'Greece: country and number stay as they were sent',
    },
    { path: '/vatcheck/DE/999999901', summary: 'Name and address are not disclosed' },
    { path: '/vatcheck/FR/00000000000', summary: 'A number that is not registered' },
  ],
});
