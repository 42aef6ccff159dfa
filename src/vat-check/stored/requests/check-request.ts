import type { ReadBy } from '../../../platform/fields/field.ts';
import { type NameOf, readField } from '../../../platform/http/routes/read-request.ts';
import type { Trader } from '../../numbers/trader.ts';
import { impossibleNumber } from '../../numbers/impossible-number.ts';
import type { Requester } from '../../numbers/requester.ts';
import { type Hint, hintOf } from '../../numbers/hint.ts';
import { parseWrittenNumber, type VatNumber } from '../../numbers/vat-number.ts';
import {
  isTooLong,
  newCheck,
  readBatchedCheck,
  type WrittenCheck,
  type WrittenNumber,
} from './request-fields.ts';

/** Requesters of a check that names none. */
export type RequesterDefaults = {
  /** The requester of the API key; a check of this key may name no other. */
  readonly ofKey: Requester | undefined;
  /** `VIES_REQUESTER`. */
  readonly ofService: Requester | undefined;
};

/** A check as its caller requests it, apart from the number that is queried. */
export type CheckTerms = {
  /** Country and number as the caller wrote them. */
  readonly echo: WrittenNumber;
  /** The number on whose behalf the registry is queried; undefined if there is none. */
  readonly requester: Requester | undefined;
  /** `{}` if there is no trader. */
  readonly trader: Trader;
  readonly maxAgeSeconds: number;
  readonly expiresInHours: number;
  readonly reference: string | null;
};

/** The number that is queried. */
export type CheckedNumber = { readonly vatNumber: VatNumber; readonly hint: Hint | null };

export type CheckRequest = CheckTerms & CheckedNumber & { readonly waitSeconds: number };

type ReadCheckRequest =
  | { readonly kind: 'request'; readonly request: CheckRequest }
  /** The key has another requester than the body (403). */
  | { readonly kind: 'requesterNotAllowed' };

/** Reads a check that a caller creates alone, as {@link toCheckRequest} does, or throws the 400. */
export function readCheckRequest(body: unknown, defaults: RequesterDefaults): ReadCheckRequest {
  return toCheckRequest(readField(newCheck, body), defaults);
}

/**
 * Adds the number that is queried. Throws 422 `INVALID_INPUT` for a number that no registry can be queried for, as on
 * `/vatcheck` (rule K6).
 */
export function toCheckRequest(
  { waitSeconds, ...written }: ReadBy<typeof newCheck>,
  defaults: RequesterDefaults,
): ReadCheckRequest {
  const { terms, isRequesterAllowed } = toTerms(written, defaults);
  if (!isRequesterAllowed) return { kind: 'requesterNotAllowed' };
  const number = readCheckedNumber(terms);
  if (number === undefined) throw impossibleNumber(terms.echo);
  return { kind: 'request', request: { ...terms, ...number, waitSeconds } };
}

type ReadTerms = { readonly terms: CheckTerms; readonly isRequesterAllowed: boolean };

/** Reads the fields of a check of a batch or a file, or throws the 400, as {@link toTerms} does. */
export function readTerms(
  fields: Readonly<Record<string, unknown>>,
  defaults: RequesterDefaults,
  nameOf: NameOf,
): ReadTerms {
  return toTerms(readBatchedCheck(fields, nameOf), defaults);
}

/** Throws 422 `INVALID_INPUT` for a country or a number that is too long: it is not stored. */
function toTerms(
  { countryCode, vatNumber, requester: named, ...others }: WrittenCheck,
  { ofKey, ofService }: RequesterDefaults,
): ReadTerms {
  const echo = { countryCode, vatNumber };
  if (isTooLong(echo)) throw impossibleNumber(echo);
  return {
    terms: { echo, requester: named ?? ofKey ?? ofService, ...others },
    isRequesterAllowed: isRequesterAllowed(named, { ofKey }),
  };
}

/** Whether a request may name this requester; undefined for none. A key that has a requester may name no other. */
export function isRequesterAllowed(
  named: Requester | undefined,
  { ofKey }: Pick<RequesterDefaults, 'ofKey'>,
): boolean {
  return named === undefined || ofKey === undefined || isSame(named, ofKey);
}

/** The number that is queried, with its hint; undefined if no registry can be queried for it, or if it is too long. */
export function readCheckedNumber({
  echo,
  requester,
}: Pick<CheckTerms, 'echo' | 'requester'>): CheckedNumber | undefined {
  if (isTooLong(echo)) return undefined;
  const read = parseWrittenNumber(echo.countryCode, echo.vatNumber);
  if (read === undefined) return undefined;
  return { vatNumber: read.vatNumber, hint: hintOf(read, requester) };
}

function isSame(one: Requester, other: Requester): boolean {
  return one.registryCode === other.registryCode && one.number === other.number;
}
