import { vatNumberMax } from '../../src/vat-check/impossible-number.ts';
import { type TSchema, Type } from 'typebox';
import { instantSchema, orNull, withDescription } from './common.ts';
import {
  expiresInHoursLimits,
  maxAgeSecondsLimits,
  waitSecondsLimits,
} from '../../src/vat-check/stored/requests/check-request.ts';
import { checkStatuses } from '../../src/vat-check/stored/stored-check.ts';
import {
  countryCodeMax,
  referenceMax,
} from '../../src/vat-check/stored/requests/request-fields.ts';
import { traderTextMax } from '../../src/vat-check/trader.ts';

const countryCode = Type.String({
  maxLength: countryCodeMax,
  description: 'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI.',
});
const vatNumber = Type.String({
  maxLength: vatNumberMax,
  description: 'The number, in any spelling that `/vatcheck` reads.',
});
const requesterFields = { countryCode, vatNumber };

/** Fields of a trader, each with the same schema. */
function traderFields<T extends TSchema>(of: T) {
  return { name: of, street: of, postcode: of, city: of, companyType: of };
}

const traderText = Type.Optional(orNull(Type.String({ maxLength: traderTextMax })));
const newTrader = Type.Object(traderFields(traderText), {
  additionalProperties: false,
  description:
    'The data of your customer, which the registry compares with its own. `companyType` has the form of `DE-1`.',
});

/** The body of a new check, without `waitSeconds`. */
export const newCheckFields = {
  countryCode,
  vatNumber,
  requester: Type.Optional(
    orNull(
      Type.Object(requesterFields, { additionalProperties: false }),
      'The number on whose behalf the registry is queried; needed for a consultation number. By default that of your key, then that of the service. The country may also be `EU`, with the nine digits of a seller outside the Union in the one-stop shop.',
    ),
  ),
  trader: Type.Optional(orNull(newTrader)),
  maxAgeSeconds: wholeNumber(
    maxAgeSecondsLimits,
    'An answered check of your key with the same number, requester and trader that is at most this old is returned instead of a new one. A check that stays pending ends with such an answer as soon as there is one, instead of a further query.',
  ),
  expiresInHours: wholeNumber(expiresInHoursLimits, 'How long the check may stay pending.'),
  reference: Type.Optional(
    orNull(
      Type.String({ maxLength: referenceMax }),
      'A text of your own, such as the number of an order.',
    ),
  ),
};

/** The body of a new check. */
export const newCheckSchema = Type.Object(
  {
    ...newCheckFields,
    waitSeconds: wholeNumber(waitSecondsLimits, 'How long this request may wait for the registry.'),
  },
  { $id: 'NewStoredCheck', additionalProperties: false },
);

const text = orNull(Type.String());
const match = orNull(Type.String({ pattern: '^(valid|invalid|not processed)$' }));

/** A stored check, in answers and in events. */
export const storedCheckSchema = Type.Object(
  {
    id: Type.String({ pattern: '^vc_[0-9a-f]{32}$' }),
    status: Type.Enum([...checkStatuses], {
      description:
        'It changes once: from pending to answered, to rejected if the registry refuses the number or the requester, or to expired.',
    }),
    countryCode: Type.String({ description: 'The country as you sent it.' }),
    vatNumber: Type.String({ description: 'The number as you sent it.' }),
    requestDate: orNull(Type.String(), 'The date of the answer, as the registry states it.'),
    valid: orNull(
      Type.Boolean(),
      'Null unless the check is answered: an outage is never `false`. A false answer near an outage is confirmed by a second query first.',
    ),
    name: orNull(Type.String(), 'The name of the trader; null if it is not disclosed.'),
    address: orNull(
      Type.String(),
      'The address, with its line breaks; null if it is not disclosed.',
    ),
    consultationNumber: orNull(
      Type.String(),
      "The registry's own proof of the query; only with a requester, and not for every answer.",
    ),
    requester: orNull(Type.Object(requesterFields)),
    trader: orNull(Type.Object(traderFields(text)), 'The trader as you sent it.'),
    traderMatch: orNull(
      Type.Object(traderFields(match)),
      'The comparison of each field of the trader that you sent; null for the others, and if the registry’s code cannot be read.',
    ),
    registry: Type.Enum(['vies']),
    queriedNumber: orNull(
      Type.String(),
      "The registry's code of the country, and the number that is queried, to be written back to your records; null for a number that can never be queried.",
    ),
    hint: orNull(
      Type.String(),
      "A remark about the number or its requester, the first that holds of: `number of the small-enterprise scheme (EX): not in VIES`, `form: expected 8 digits` (it cannot be a number of its country), `check digit: expected 8`, `check digit does not match`, `requester's own number`, `requester check digit: expected 8`, `requester check digit does not match`, `requester and customer are of the same Member State`, `requester form: expected 9 digits`, `no consultation number: the registry may not have accepted the requester`, `the registry's firewall refuses the trader's text` (of a rejected check: the number was not judged), `W-IdNr read as VAT number`, `leading 0 added`, `prefix removed`. It never refuses a number.",
    ),
    reference: text,
    error: orNull(
      Type.String(),
      'The reason why there is no answer: the newest error of a pending or expired check, `INVALID_INPUT` or `INVALID_REQUESTER` of a rejected one.',
    ),
    attempts: Type.Integer({ minimum: 0, description: 'The number of queries so far.' }),
    batchId: text,
    createdAt: instantSchema,
    answeredAt: orNull(instantSchema, 'The end of the check; null while it is pending.'),
    nextAttemptAt: orNull(
      instantSchema,
      'When the registry is queried again; null after the end of the check, and if no further query is due before `expiresAt`.',
    ),
    expiresAt: orNull(
      instantSchema,
      'The end of the time in which the check may stay pending; null after its end.',
    ),
  },
  { $id: 'StoredCheck', description: 'A check that is kept until the registry answers.' },
);

function wholeNumber(
  {
    min,
    max,
    byDefault,
  }: { readonly min: number; readonly max: number; readonly byDefault: number },
  description: string,
): TSchema {
  const limits = { minimum: min, maximum: max, default: byDefault };
  return Type.Optional(withDescription(Type.Integer(limits), description));
}
