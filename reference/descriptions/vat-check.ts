import { Type } from 'typebox';
import { orNull } from './common.ts';
import type { Reference } from './route-description.ts';

const vatCheckResult = Type.Object(
  {
    countryCode: Type.String({ description: 'As in the path: GR stays GR, EL stays EL.' }),
    vatNumber: Type.String({ description: 'As in the path.' }),
    requestDate: Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d([+-]\\d\\d:\\d\\d|Z)$',
      description: 'When the registry was asked, in its own words: a date and an offset.',
    }),
    valid: Type.Boolean({
      description: 'False only if the registry looked the number up and it is not on file.',
    }),
    name: orNull(Type.String(), 'The name of the trader; null where it is withheld.'),
    address: orNull(Type.String(), 'The address, with its line breaks; null where it is withheld.'),
  },
  { $id: 'VatCheckResult', description: 'What the registry said of a VAT number.' },
);

const failed = 'The registry could not be asked, or its answer is not to be trusted.';

/** What the reference says of this feature's route (interface 4.5). */
export const vatCheckReference: Reference = {
  checkVatNumber: {
    tag: 'VAT checks',
    summary: 'Whether a VAT number is registered',
    description:
      'Asks VIES, the registry of the European Commission, which asks the Member State. An answer is kept for 5 to 60 minutes, and a kept one costs nothing. An outage is never an answer: it is a 502 or 503.',
    parameters: [
      {
        name: 'country',
        in: 'path',
        description:
          'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI.',
        schema: Type.String(),
        example: 'AT',
      },
      {
        name: 'vat',
        in: 'path',
        description:
          'The VAT number: 2 to 12 letters, digits, `+` and `*`. Blanks, dots, hyphens, slashes and letter case do not matter, and full-width characters are read as ASCII (Unicode NFKC). The letters of its own country in front are removed if what follows has the format of that country (`DE811115368`); letters of another country are not. A Belgian number of 9 digits and a Greek number of 8 digits get their leading 0.',
        schema: Type.String(),
        example: 'U99999901',
      },
    ],
    answer: {
      status: 200,
      description: 'What the registry said.',
      schema: vatCheckResult,
      cacheControl: {
        pattern: '^private, max-age=[1-9]\\d{2,3}$',
        example: 'private, max-age=3600',
      },
    },
    errors: [
      {
        error: 'invalidInput',
        when: 'No country of the registry, or no number that it would take; letters and digits of other scripts are among these.',
      },
      { error: 'registryBlocked', when: failed },
      { error: 'registryBlockedNumber', when: failed },
      { error: 'registryUnknownCode', when: failed },
      { error: 'registryWebPage', when: failed },
      { error: 'registryUnreadable', when: failed },
      { error: 'registryOtherNumber', when: failed },
      { error: 'registryUnreachable', when: failed },
      { error: 'memberStateDown', when: 'The registry of the Member State is down or busy.' },
      { error: 'registryDown', when: 'The registry as a whole is down or busy.' },
      { error: 'registryTimeout', when: 'The registry did not answer within ten seconds.' },
    ],
  },
};
