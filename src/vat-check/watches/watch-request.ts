import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { ReadBy } from '../../platform/http/routes/read-request.ts';
import { impossibleNumber } from '../numbers/impossible-number.ts';
import {
  type CheckDefaults,
  readCheckedNumber,
  toTerms,
} from '../stored/requests/check-request.ts';
import { chooseRegistry } from '../stored/requests/choose-registry.ts';
import type { getWatch, putWatch } from './definitions.ts';
import type { WantedWatch } from './watch.ts';
import type { WatchedNumber } from './watch-store.ts';

/**
 * A watch as its caller requests it. Throws the 400 for a registry that does not answer for the country, the 403 if the key
 * has other requesters than the body, and 422 `INVALID_INPUT` for a number that the registry cannot be queried for.
 */
export function toWantedWatch(
  { country: countryCode, vat: vatNumber, body }: ReadBy<typeof putWatch>,
  defaults: CheckDefaults,
): Omit<WantedWatch, 'keyId'> {
  const echo = { countryCode, vatNumber };
  const { terms, isRequesterAllowed } = toTerms({ ...echo, ...notOfWatch, ...body }, defaults);
  if (!isRequesterAllowed) throw new ApiError('requesterNotAllowed');
  const { registry, requester } = terms;
  const number = readCheckedNumber(terms, defaults);
  if (number === undefined) throw impossibleNumber(echo, defaults.known.countries);
  const { vatNumber: queried, hint } = number;
  return { ...echo, ...body, registry, requester, queried, hint };
}

/** Fields of a check that a watch does not have. */
const notOfWatch = { maxAgeSeconds: 0, expiresInHours: 1 };

/** The watch of a number in a path, as the registry is queried for it, or throws the 422. */
export function toWatched(
  { country, vat, registry: named }: ReadBy<typeof getWatch>,
  { known }: Pick<CheckDefaults, 'known'>,
): WatchedNumber {
  const echo = { countryCode: country, vatNumber: vat };
  const registry = chooseRegistry(named, echo, known);
  const number = readCheckedNumber({ echo, registry, requester: undefined }, { known });
  if (number === undefined) throw impossibleNumber(echo, known.countries);
  return { queried: number.vatNumber, registry };
}
