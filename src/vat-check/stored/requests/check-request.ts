import type { ReadBy } from '../../../platform/fields/field.ts';
import { type NameOf, readField } from '../../../platform/http/routes/read-request.ts';
import type { Trader } from '../../numbers/trader.ts';
import { invalidField } from '../../../platform/http/responses/api-errors.ts';
import { impossibleNumber } from '../../numbers/impossible-number.ts';
import { type KnownRegistries, viesAlone } from '../../registries/known.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { chooseRegistry, chooseRequester } from './choose-registry.ts';
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

/** Requesters and registries for a check whose caller names none. */
export type CheckDefaults = {
  /** The requesters of the API key; if there are any, a check of this key may name no other. */
  readonly ofKey: readonly Requester[];
  /** `REQUESTERS`. */
  readonly ofService: readonly Requester[];
  readonly known: KnownRegistries;
};

/** Those of a place that knows neither a key nor a service, and VIES alone. */
export const noDefaults: CheckDefaults = { ofKey: [], ofService: [], known: viesAlone };

/** A check as its caller requests it, apart from the number that is queried. */
export type CheckTerms = {
  /** Country and number as the caller wrote them. */
  readonly echo: WrittenNumber;
  /** The registry that is asked; undefined if the country has none. */
  readonly registry?: RegistryName | undefined;
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
export function readCheckRequest(body: unknown, defaults: CheckDefaults): ReadCheckRequest {
  return toCheckRequest(readField(newCheck, body), defaults);
}

/**
 * Adds the number that is queried. Throws 422 `INVALID_INPUT` for a number that no registry can be queried for, as on
 * `/vatcheck` (rule K6).
 */
export function toCheckRequest(
  { waitSeconds, ...written }: ReadBy<typeof newCheck>,
  defaults: CheckDefaults,
): ReadCheckRequest {
  const { terms, isRequesterAllowed } = toTerms(written, defaults);
  if (!isRequesterAllowed) return { kind: 'requesterNotAllowed' };
  const number = readCheckedNumber(terms, defaults);
  if (number === undefined) throw impossibleNumber(terms.echo, defaults.known.countries);
  return { kind: 'request', request: { ...terms, ...number, waitSeconds } };
}

type ReadTerms = { readonly terms: CheckTerms; readonly isRequesterAllowed: boolean };

/** Reads the fields of a check of a batch or a file, or throws the 400, as {@link toTerms} does. */
export function readTerms(
  fields: Readonly<Record<string, unknown>>,
  defaults: CheckDefaults,
  nameOf: NameOf,
): ReadTerms {
  return toTerms(readBatchedCheck(fields, nameOf), defaults, nameOf);
}

/** Throws 422 `INVALID_INPUT` for a country or a number that is too long: it is not stored. */
export function toTerms(
  { countryCode, vatNumber, requester: named, registry: namedRegistry, ...others }: WrittenCheck,
  defaults: CheckDefaults,
  nameOf?: NameOf,
): ReadTerms {
  const echo = { countryCode, vatNumber };
  if (isTooLong(echo)) throw impossibleNumber(echo);
  const registry = chooseRegistry(namedRegistry, echo, defaults.known, nameOf);
  if (!isRequesterAllowed(named, defaults)) {
    return {
      terms: { echo, registry, requester: named, ...others },
      isRequesterAllowed: false,
    };
  }
  const requester = chooseRequester(named, registry ?? 'vies', defaults, nameOf);
  const { name, city } = others.trader;
  if (registry === 'bzst' && (name === undefined) !== (city === undefined)) {
    const expected = 'name and city for registry bzst';
    throw invalidField(nameOf?.('trader') ?? 'trader', expected);
  }
  return { terms: { echo, registry, requester, ...others }, isRequesterAllowed: true };
}

/** Whether a request may name this requester; undefined for none. A key that has requesters may name no other. */
export function isRequesterAllowed(
  named: Requester | undefined,
  { ofKey }: Pick<CheckDefaults, 'ofKey'>,
): boolean {
  return named === undefined || ofKey.length === 0 || ofKey.some((one) => isSame(named, one));
}

/** The number that is queried, with its hint; undefined if the registry cannot be queried for it, or if it is too long. */
export function readCheckedNumber(
  { echo, registry, requester }: Pick<CheckTerms, 'echo' | 'registry' | 'requester'>,
  { known }: Pick<CheckDefaults, 'known'>,
): CheckedNumber | undefined {
  if (isTooLong(echo)) return undefined;
  const read = parseWrittenNumber(echo.countryCode, echo.vatNumber, known.countries);
  if (read === undefined) return undefined;
  if (registry !== undefined && !known.answersFor(registry, read.vatNumber)) return undefined;
  return { vatNumber: read.vatNumber, hint: hintOf(read, requester, registry) };
}

function isSame(one: Requester, other: Requester): boolean {
  return one.registryCode === other.registryCode && one.number === other.number;
}
