import { ApiError } from '../../platform/http/responses/api-errors.ts';
import {
  type CheckRequest,
  readCheckRequest,
} from '../../vat-check/stored/requests/check-request.ts';
import { waitSecondsMax } from '../../vat-check/stored/requests/request-fields.ts';
import { whyImpossible } from '../../vat-check/impossible-number.ts';
import { readRequesterText, type Requester } from '../../vat-check/requester.ts';
import { parseVatNumber, splitCountry, type VatNumber } from '../../vat-check/vat-number.ts';
import { UsageError } from '../report.ts';

/** The options of `check` for one number. */
export type CheckOptions = {
  readonly requester?: string;
  readonly traderName?: string;
  readonly traderStreet?: string;
  readonly traderPostcode?: string;
  readonly traderCity?: string;
  readonly traderCompanyType?: string;
  readonly reference?: string;
};

/** Reads a VAT number with its country in front: `DE811115368`, `de 811 115 368`. `name` is the option or argument. */
export function readNumber(name: string, text: string): VatNumber {
  const { countryCode, vatNumber } = splitCountry(text);
  const read = parseVatNumber(countryCode, vatNumber);
  if (read === undefined) throw unreadable(name, text);
  return read;
}

/** Reads the value of `--requester`. */
export function readRequester(text: string): Requester {
  const read = readRequesterText(text);
  if (read === undefined) throw unreadable('--requester', text);
  return read;
}

function unreadable(name: string, text: string): UsageError {
  const why = whyImpossible(splitCountry(text));
  return new UsageError(
    `${name} is ${text} (${why}), expected a VAT number with its country in front, such as DE811115368`,
  );
}

/** Reads the arguments of `check` as the body of a request, or throws which one is wrong. `ofService` is VIES_REQUESTER. */
export function readCheckArguments(
  text: string,
  options: CheckOptions,
  ofService: Requester | undefined,
): CheckRequest {
  readNumber('the number', text);
  const { requester, reference } = options;
  if (requester !== undefined) readRequester(requester);
  const body = {
    ...splitCountry(text),
    requester: requester === undefined ? undefined : splitCountry(requester),
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
