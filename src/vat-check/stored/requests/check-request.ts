import { readFields } from '../../../platform/http/routes/body-fields.ts';
import type { Trader } from '../../trader.ts';
import { impossibleNumber } from '../../impossible-number.ts';
import type { Requester } from '../../requester.ts';
import { type Hint, hintOf } from '../../hint.ts';
import { parseWrittenNumber, type VatNumber } from '../../vat-number.ts';
import {
  isTooLong,
  type NameOf,
  readReference,
  readRequester,
  readTrader,
  readWhole,
  readWrittenNumber,
  type WrittenNumber,
} from './request-fields.ts';

/** Limits and defaults of rule K4. */
export const waitSecondsLimits = { min: 0, max: 10, byDefault: 2 } as const;
export const maxAgeSecondsLimits = { min: 0, max: 7_776_000, byDefault: 0 } as const;
export const expiresInHoursLimits = { min: 1, max: 720, byDefault: 72 } as const;

/** The fields of a check in a batch (rule K12). */
export const batchedFields: readonly string[] = [
  'countryCode',
  'vatNumber',
  'requester',
  'trader',
  'maxAgeSeconds',
  'expiresInHours',
  'reference',
];
/** The fields of a check that a request creates alone (rule K4). */
const singleFields: readonly string[] = [...batchedFields, 'waitSeconds'];

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

/**
 * Reads the body of `POST /vatchecks` (rule K4). Null counts as an absent field.
 *
 * Throws a 400 for a field that is unknown, missing, of another type or outside of its limits, and for a requester that
 * no registry can be queried for: the answer names the field. A number that no registry can be queried for throws 422
 * `INVALID_INPUT`, as on `/vatcheck` (rule K6).
 */
export function readCheckRequest(body: unknown, defaults: RequesterDefaults): ReadCheckRequest {
  const fields = readFields(body, singleFields);
  const waitSeconds = readWhole(fields['waitSeconds'], 'waitSeconds', waitSecondsLimits);
  const { terms, isRequesterAllowed } = readTerms(fields, defaults, (field = 'body') => field);
  if (!isRequesterAllowed) return { kind: 'requesterNotAllowed' };
  const number = readCheckedNumber(terms);
  if (number === undefined) throw impossibleNumber(terms.echo);
  return { kind: 'request', request: { ...terms, ...number, waitSeconds } };
}

/**
 * Reads the fields that all checks have, or throws the 400. The names of the fields are checked before. A country or a
 * number that is too long throws 422 `INVALID_INPUT`: it is not stored.
 */
export function readTerms(
  fields: Readonly<Record<string, unknown>>,
  { ofKey, ofService }: RequesterDefaults,
  nameOf: NameOf,
): { readonly terms: CheckTerms; readonly isRequesterAllowed: boolean } {
  const echo = readWrittenNumber(fields, nameOf);
  if (isTooLong(echo)) throw impossibleNumber(echo);
  const named = readRequester(fields['requester'], nameOf);
  const { maxAgeSeconds, expiresInHours, reference } = fields;
  const terms = {
    echo,
    requester: named ?? ofKey ?? ofService,
    trader: readTrader(fields['trader'], nameOf),
    maxAgeSeconds: readWhole(maxAgeSeconds, nameOf('maxAgeSeconds'), maxAgeSecondsLimits),
    expiresInHours: readWhole(expiresInHours, nameOf('expiresInHours'), expiresInHoursLimits),
    reference: readReference(reference, nameOf('reference')),
  };
  return {
    terms,
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
