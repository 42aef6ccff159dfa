import { impossibleNumber } from '../impossible-number.ts';
import type { Requester } from '../requester.ts';
import { nullable, objectOf, whole } from '../../platform/fields/field.ts';
import { readField } from '../../platform/http/routes/read-request.ts';
import {
  matching,
  type Query,
  readCursor,
  readLimit,
} from '../../platform/http/routes/query-parameters.ts';
import {
  isRequesterAllowed,
  readCheckedNumber,
  type RequesterDefaults,
} from '../stored/requests/check-request.ts';
import { checkPageLimits } from '../stored/requests/list-query.ts';
import {
  reference,
  requester,
  trader,
  type WrittenNumber,
} from '../stored/requests/request-fields.ts';
import type { WantedWatch } from './watch.ts';

/** Days between two checks of a watch (rule K13). */
export const everyDaysLimits = { min: 1, max: 365, byDefault: 90 } as const;

const { min, max, byDefault } = everyDaysLimits;

/** A watch as its caller writes it: every field may be left out. */
export const newWatch = objectOf(
  {
    everyDays: nullable(
      whole(min, max, { default: byDefault }),
      byDefault,
      'Days between two checks.',
    ),
    requester,
    trader,
    reference,
  },
  { $id: 'NewWatch' },
);

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
  const { requester: named, ...others } = readField(newWatch, body === undefined ? {} : body);
  const terms = { ...others, requester: named ?? defaults.ofKey ?? defaults.ofService };
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
    limit: readLimit(query, checkPageLimits.max) ?? checkPageLimits.byDefault,
    cursor: readCursor(query, matching(/^vw_[0-9a-f]{32}$/)),
  };
}
