import { type Form, textForm } from '../../platform/fields/field.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import {
  type CheckDefaults,
  type CheckRequest,
  readCheckRequest,
} from '../../vat-check/stored/requests/check-request.ts';
import { waitSecondsMax } from '../../vat-check/stored/requests/request-fields.ts';
import { whyImpossible } from '../../vat-check/numbers/impossible-number.ts';
import { readRequesterText } from '../../vat-check/numbers/requester.ts';
import { registriesInWords } from '../../vat-check/registries/known.ts';
import { registryNames } from '../../vat-check/registries/registry.ts';
import { registryCodes } from '../../vat-check/numbers/registry-codes.ts';
import {
  parseVatNumber,
  type RegistryCode,
  splitCountry,
} from '../../vat-check/numbers/vat-number.ts';
import { anyText, type Given, option, placeOf } from '../command/command.ts';
import { UsageError } from '../command/report.ts';

/** A VAT number with its country in front: `DE811115368`, `de 811 115 368`. */
export const vatNumber = vatNumberOf(registryCodes);

/** The same of a country that is known. */
function vatNumberOf(known: readonly RegistryCode[]) {
  return withCountry((text) => {
    const { countryCode, vatNumber } = splitCountry(text);
    return parseVatNumber(countryCode, vatNumber, known);
  }, known);
}

const requester = withCountry(readRequesterText);

/** A refusal also says why no number can be so. */
function withCountry<Value>(
  parse: (text: string) => Value | undefined,
  known?: readonly RegistryCode[],
): Form<Value> {
  const expected = 'a VAT number with its country in front, such as DE811115368';
  return {
    expected,
    read: (given, { path }) => {
      const text = String(given);
      const read = parse(text);
      if (read !== undefined) return read;
      const why = whyImpossible(splitCountry(text), known);
      throw new UsageError(`${path} is ${text} (${why}), expected ${expected}`);
    },
  };
}

/** The options of `check` for one number. */
const ofOneCheck = {
  registry: option(
    '<name>',
    'registry that is asked; the usual one of the country if left out',
    textForm(registriesInWords(registryNames), (text) => text),
  ),
  requester: option(
    '<number>',
    'VAT number on whose behalf; one of REQUESTERS if left out',
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

/** Reads the arguments of `check` as the body of a request, or throws which one is wrong. */
export function readCheckArguments(
  text: string,
  options: Given<typeof ofOneCheck>,
  defaults: CheckDefaults,
): CheckRequest {
  vatNumberOf(defaults.known.countries).read(text, placeOf('the number'));
  const { requester, reference } = options;
  const body = {
    ...splitCountry(text),
    registry: options.registry,
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
    const read = readCheckRequest(body, defaults);
    if (read.kind === 'request') return read.request;
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(error.message);
    throw error;
  }
  throw new Error('a check without a key has any requester');
}
