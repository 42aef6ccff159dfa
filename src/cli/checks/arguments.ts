import { type Form } from '../../platform/fields/field.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import {
  type CheckRequest,
  readCheckRequest,
} from '../../vat-check/stored/requests/check-request.ts';
import { waitSecondsMax } from '../../vat-check/stored/requests/request-fields.ts';
import { whyImpossible } from '../../vat-check/numbers/impossible-number.ts';
import { readRequesterText, type Requester } from '../../vat-check/numbers/requester.ts';
import { parseVatNumber, splitCountry } from '../../vat-check/numbers/vat-number.ts';
import { anyText, type Given, option, placeOf } from '../command/command.ts';
import { UsageError } from '../command/report.ts';

/** A VAT number with its country in front: `DE811115368`, `de 811 115 368`. */
export const vatNumber = withCountry((text) => {
  const { countryCode, vatNumber } = splitCountry(text);
  return parseVatNumber(countryCode, vatNumber);
});

const requester = withCountry(readRequesterText);

/** A refusal also says why no number can be so. */
function withCountry<Value>(parse: (text: string) => Value | undefined): Form<Value> {
  const expected = 'a VAT number with its country in front, such as DE811115368';
  return {
    expected,
    read: (given, { path }) => {
      const text = String(given);
      const read = parse(text);
      if (read !== undefined) return read;
      const why = whyImpossible(splitCountry(text));
      throw new UsageError(`${path} is ${text} (${why}), expected ${expected}`);
    },
  };
}

/** The options of `check` for one number. */
const ofOneCheck = {
  requester: option(
    '<number>',
    'VAT number on whose behalf; VIES_REQUESTER if left out',
    requester,
  ),
  traderName: option('<text>', 'data of the customer, which the registry compares', anyText),
  traderStreet: option('<text>', '', anyText),
  traderPostcode: option('<text>', '', anyText),
  traderCity: option('<text>', '', anyText),
  traderCompanyType: option('<code>', 'a code of the Member State, such as DE-1', anyText),
  reference: option('<text>', 'your own reference, at most 100 characters', anyText),
};

export const checkOptions = {
  ...ofOneCheck,
  csv: option(
    '<file>',
    'check the numbers of this file, - for standard input; needs --out',
    anyText,
  ),
  out: option(
    '<file>',
    'CSV file for the answers, replaced if it exists; - for standard output',
    anyText,
  ),
  column: option(
    '<name>',
    'heading of the column with the VAT numbers; guessed if left out',
    anyText,
  ),
  charset: option(
    '<name>',
    'encoding of the file, such as windows-1250; found out if left out, and written to --out',
    anyText,
  ),
};

/** Reads the arguments of `check` as the body of a request, or throws which one is wrong. `ofService` is VIES_REQUESTER. */
export function readCheckArguments(
  text: string,
  options: Given<typeof ofOneCheck>,
  ofService: Requester | undefined,
): CheckRequest {
  vatNumber.read(text, placeOf('the number'));
  const { requester, reference } = options;
  const body = {
    ...splitCountry(text),
    requester: requester && { countryCode: requester.registryCode, vatNumber: requester.number },
    trader: {
      name: options.traderName,
      street: options.traderStreet,
      postcode: options.traderPostcode,
      city: options.traderCity,
      companyType: options.traderCompanyType,
    },
    reference,
    waitSeconds: waitSecondsMax,
  };
  try {
    const read = readCheckRequest(body, { ofKey: undefined, ofService });
    if (read.kind === 'request') return read.request;
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(error.message);
    throw error;
  }
  throw new Error('a check without a key has any requester');
}
