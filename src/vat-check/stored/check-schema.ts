import { date as day, instant } from '../../platform/fields/dates.ts';
import {
  boolean,
  integer,
  object,
  oneOf,
  orNull,
  type Schema,
  string,
  type ValueOf,
} from '../../platform/fields/schema.ts';
import type { Match } from '../registries/outcome.ts';
import { registryNames } from '../registries/registry.ts';
import { countryCode, vatNumber } from './requests/request-fields.ts';
import { checkStatuses } from './stored-check.ts';
import { idForms } from './ids.ts';

const text = orNull(string());
const match: Schema<Match | null> = orNull(
  string({ pattern: '^(valid|invalid|not processed)$' }) as Schema<Match>,
);

/** The fields of a trader, each with the same schema. */
function ofTrader<S extends Schema>(of: S) {
  return object({ name: of, street: of, postcode: of, city: of, companyType: of });
}

const requester = object({ countryCode: countryCode.schema, vatNumber: vatNumber.schema });

/** A stored check as a caller receives it: in answers, lists, events and evidence (rules K5, K6). */
export const storedCheck = object(
  {
    id: string({ pattern: idForms.vc.source }),
    status: oneOf(checkStatuses, {
      description:
        'It changes once: from pending to answered, to rejected if the registry refuses the number or the requester, or to expired.',
    }),
    countryCode: string({ description: 'The country as you sent it.' }),
    vatNumber: string({ description: 'The number as you sent it.' }),
    requestDate: orNull(string(), 'The date of the answer, as the registry states it.'),
    valid: orNull(
      boolean(),
      'Null unless the check is answered: an outage is never `false`. A false answer near an outage is confirmed by a second query first.',
    ),
    name: orNull(string(), 'The name of the trader; null if it is not disclosed.'),
    address: orNull(string(), 'The address, with its line breaks; null if it is not disclosed.'),
    consultationNumber: orNull(
      string(),
      "The registry's own proof of the query; only with a requester, and not for every answer.",
    ),
    requester: orNull(requester),
    trader: orNull(ofTrader(text), 'The trader as you sent it.'),
    traderMatch: orNull(
      ofTrader(match),
      'The comparison of each field of the trader that you sent; null for the others, and if the registry’s code cannot be read.',
    ),
    registry: oneOf(registryNames, {
      description: 'The registry that was asked.',
    }),
    queriedNumber: orNull(
      string(),
      "The registry's code of the country, and the number that is queried, to be written back to your records; null for a number that can never be queried.",
    ),
    hint: orNull(
      string(),
      "A remark about the number or its requester, the first that holds of: `number of the small-enterprise scheme (EX): not in VIES`, `form: expected 8 digits` (it cannot be a number of its country), `check digit: expected 8`, `check digit does not match`, `requester's own number`, `requester check digit: expected 8`, `requester check digit does not match`, `requester and customer are of the same Member State`, `requester form: expected 9 digits`, `no consultation number: the registry may not have accepted the requester`, `the registry's firewall refuses the trader's text` (of a rejected check: the number was not judged), `W-IdNr read as VAT number`, `leading 0 added`, `prefix removed`. It never refuses a number.",
    ),
    reference: text,
    error: orNull(
      string(),
      'The reason why there is no answer: the newest error of a pending or expired check, `INVALID_INPUT` or `INVALID_REQUESTER` of a rejected one. Null for an answered check, before the first query has ended, and while a false answer is not confirmed.',
    ),
    attempts: integer({ minimum: 0, description: 'The number of queries so far.' }),
    batchId: text,
    createdAt: instant,
    answeredAt: orNull(instant, 'The end of the check; null while it is pending.'),
    nextAttemptAt: orNull(
      instant,
      'When the registry is queried again; null after the end of the check, and if no further query is due before `expiresAt`.',
    ),
    expiresAt: orNull(
      instant,
      'The end of the time in which the check may stay pending; null after its end.',
    ),
    validFrom: orNull(
      day,
      'The first day of the registration, if the registry names it; null otherwise.',
    ),
    validTo: orNull(
      day,
      'The last day of the registration, if the registry names it; null otherwise.',
    ),
  },
  { $id: 'StoredCheck', description: 'A check that is kept until the registry answers.' },
);

export type PrintedCheck = ValueOf<typeof storedCheck>;
