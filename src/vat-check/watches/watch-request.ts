import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { ReadBy } from '../../platform/http/routes/read-request.ts';
import { impossibleNumber } from '../numbers/impossible-number.ts';
import {
  type CheckedNumber,
  isRequesterAllowed,
  readCheckedNumber,
  type RequesterDefaults,
} from '../stored/requests/check-request.ts';
import type { WrittenNumber } from '../stored/requests/request-fields.ts';
import type { Requester } from '../numbers/requester.ts';
import type { getWatch, putWatch } from './definitions.ts';
import type { WantedWatch } from './watch.ts';

/**
 * A watch as its caller requests it. Throws the 403 if the key has another requester than the body, and 422 `INVALID_INPUT`
 * for a number that no registry can be queried for.
 */
export function toWantedWatch(
  { country: countryCode, vat: vatNumber, body }: ReadBy<typeof putWatch>,
  defaults: RequesterDefaults,
): Omit<WantedWatch, 'keyId'> {
  if (!isRequesterAllowed(body.requester, defaults)) throw new ApiError('requesterNotAllowed');
  const requester = body.requester ?? defaults.ofKey ?? defaults.ofService;
  const echo = { countryCode, vatNumber };
  const { vatNumber: queried, hint } = queriedNumber(echo, requester);
  return { ...echo, ...body, requester, queried, hint };
}

/** The number in a path as the registry is queried for it, or throws the 422. */
export function toWatched({ country, vat }: ReadBy<typeof getWatch>): CheckedNumber {
  return queriedNumber({ countryCode: country, vatNumber: vat });
}

function queriedNumber(echo: WrittenNumber, requester?: Requester): CheckedNumber {
  const number = readCheckedNumber({ echo, requester });
  if (number === undefined) throw impossibleNumber(echo);
  return number;
}
