import { impossibleNumber } from '../impossible-number.ts';
import type { Requester } from '../requester.ts';
import { readFields } from '../../platform/http/routes/body-fields.ts';
import { matching, type Query, readCursor } from '../../platform/http/routes/query-parameters.ts';
import {
  isRequesterAllowed,
  readCheckedNumber,
  type RequesterDefaults,
} from '../stored/requests/check-request.ts';
import { readPageLimit } from '../stored/requests/list-query.ts';
import {
  readReference,
  readRequester,
  readTrader,
  readWhole,
  type WrittenNumber,
} from '../stored/requests/request-fields.ts';
import type { WantedWatch } from './watch.ts';

/** Days between two checks of a watch (rule K13). */
export const everyDaysLimits = { min: 1, max: 365, byDefault: 90 } as const;

/** A watch as its caller requests it, or the fact that the key has another requester than the body (403). */
type ReadWatchRequest =
  | { readonly kind: 'request'; readonly request: Omit<WantedWatch, 'keyId'> }
  | { readonly kind: 'requesterNotAllowed' };

/**
 * Reads the body of `PUT /vatwatches/<countryCode>/<vatNumber>`, of which every field and the body itself may be left out.
 *
 * Throws a 400 for a field that is unknown or malformed, and a 422 `INVALID_INPUT` for a number that no registry can be
 * queried for.
 */
export function readWatchRequest(
  echo: WrittenNumber,
  body: unknown,
  defaults: RequesterDefaults,
): ReadWatchRequest {
  const names = ['everyDays', 'requester', 'trader', 'reference'];
  const fields = readFields(body === undefined ? {} : body, names);
  const nameOf = (field = 'body'): string => field;
  const { everyDays, requester, trader, reference } = fields;
  const named = readRequester(requester, nameOf);
  const terms = {
    everyDays: readWhole(everyDays, 'everyDays', everyDaysLimits),
    requester: named ?? defaults.ofKey ?? defaults.ofService,
    trader: readTrader(trader, nameOf),
    reference: readReference(reference, 'reference'),
  };
  if (!isRequesterAllowed(named, defaults)) return { kind: 'requesterNotAllowed' };
  const { vatNumber: queried, hint } = readWatched(echo, terms.requester);
  return { kind: 'request', request: { ...echo, ...terms, queried, hint } };
}

/** Reads the number in the path, or throws the 422. */
export function readWatched(echo: WrittenNumber, requester?: Requester) {
  const number = readCheckedNumber({ echo, requester });
  if (number === undefined) throw impossibleNumber(echo);
  return number;
}

/** Parses the parameters of `GET /vatwatches`, or throws the 400. */
export function readWatchPage(query: Query) {
  return {
    limit: readPageLimit(query),
    cursor: readCursor(query, matching(/^vw_[0-9a-f]{32}$/)),
  };
}
