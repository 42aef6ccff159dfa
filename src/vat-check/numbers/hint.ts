import type { RegistryName } from '../../platform/config/registry-names.ts';
import { algorithms } from '../check-digits/algorithms.ts';
import type { Requester } from './requester.ts';
import { vatNumberFormats } from './vat-number-formats.ts';
import {
  hasForm,
  parseVatNumber,
  type ReadingRemark,
  type ReadVatNumber,
  type VatNumber,
} from './vat-number.ts';

/** A remark about the number of a check or its requester, as callers receive it (rule K3). It never refuses a number. */
export type Hint =
  | 'number of the small-enterprise scheme (EX): not in VIES'
  | `form: expected ${string}`
  | `check digit: expected ${string}`
  | 'check digit does not match'
  | "requester's own number"
  | 'requester and customer are of the same Member State'
  | Doubt
  | typeof withoutConsultationNumber
  | typeof refusedTextHint
  | ReadingRemark;

/** A remark that a requester is perhaps no number of a business. */
type Doubt =
  | `requester check digit: expected ${string}`
  | 'requester check digit does not match'
  | `requester form: expected ${string}`;

const withoutConsultationNumber =
  'no consultation number: the registry may not have accepted the requester';

/** The hint of a check that ended because the registry's firewall refused its text (rule K21a). */
export const refusedTextHint = "the registry's firewall refuses the trader's text";

const remarks: readonly string[] = [
  'W-IdNr read as VAT number',
  'leading 0 added',
  'prefix removed',
] satisfies readonly ReadingRemark[];

/**
 * The hint about a number that is to be queried, for a requester if there is one (rule K3); null if there is nothing to
 * say. Of several the first of the list: what makes the number impossible comes before what was changed in it.
 */
export function hintOf(
  { vatNumber, remark }: ReadVatNumber,
  requester?: Requester,
  registry: RegistryName = 'vies',
): Hint | null {
  const ofRequester = hintOfRequester(vatNumber, requester, registry);
  return hintOfNumber(vatNumber) ?? ofRequester ?? remark;
}

/**
 * The hint of an answered check, whose hint at its creation is given: an answer without a consultation number, though a
 * requester was sent, is worth more than a remark on the reading.
 */
export function hintOfAnswer(
  hint: string | null,
  {
    registry,
    hasRequester,
    consultationNumber,
  }: { registry: RegistryName; hasRequester: boolean; consultationNumber: string | null },
): string | null {
  const isNamed = hint !== null && !remarks.includes(hint);
  const isMissing = registry === 'vies' && hasRequester && consultationNumber === null;
  return isNamed || !isMissing ? hint : withoutConsultationNumber;
}

function hintOfNumber(vatNumber: VatNumber): Hint | null {
  const { registryCode, number } = vatNumber;
  if (!hasForm(vatNumber)) {
    return number.endsWith('EX')
      ? 'number of the small-enterprise scheme (EX): not in VIES'
      : `form: expected ${vatNumberFormats[registryCode].words}`;
  }
  return doubtOfSigns(vatNumber);
}

/** The remark on the check signs of a number with its country's form; null if they are right, or if it has none. */
function doubtOfSigns(
  vatNumber: VatNumber,
): 'check digit does not match' | `check digit: expected ${string}` | null {
  const expected = isPasted(vatNumber) ? [] : expectedSigns(vatNumber);
  if (expected === null) return null;
  if (expected.length === 0) return 'check digit does not match';
  return `check digit: expected ${expected.join(' or ')}`;
}

/**
 * The check signs that would be right in place of those of a number with its country's form; null if its own are right, or
 * if it has none. If the country has several algorithms for this form, a number is right by any of them; otherwise all that
 * they expect are named: `check digit: expected 3 or 7`. Countries with two check digits have both: `check digit: expected
 * 06`. None if no sign can be right.
 */
function expectedSigns({ registryCode, number }: VatNumber): readonly string[] | null {
  const checks = algorithms[registryCode]
    .filter(({ form }) => form?.test(number) !== false)
    .map(({ check }) => check);
  const signs = checks.map((check) => check?.(number));
  const isRight = signs.some(
    (one) => one === undefined || one.expected.some((sign) => number.startsWith(sign, one.at)),
  );
  return isRight ? null : [...new Set(signs.flatMap((one) => one?.expected ?? []))];
}

/**
 * Whether a French number is a SIREN behind the letters of France, or a number of another Member State behind its own: their
 * letters have the form of a key, and one in eleven is right as one.
 */
function isPasted({ registryCode, number }: VatNumber): boolean {
  const letters = number.slice(0, 2);
  if (registryCode !== 'FR') return false;
  if (letters === 'FR') return true;
  const own = parseVatNumber(letters, number);
  if (own === undefined || own.registryCode === 'FR' || !hasForm(own)) return false;
  return expectedSigns(own) === null;
}

function hintOfRequester(
  vatNumber: VatNumber,
  requester: Requester | undefined,
  registry: RegistryName,
): Hint | null {
  if (requester === undefined) return null;
  const isOfState = requester.registryCode === vatNumber.registryCode;
  if (isOfState && requester.number === vatNumber.number) return "requester's own number";
  const doubt = doubtOf(requester);
  const isForm = doubt?.startsWith('requester form') === true;
  // Other registries answer for their own country.
  if (registry === 'vies' && isOfState && (doubt === null || isForm)) {
    return 'requester and customer are of the same Member State';
  }
  return doubt;
}

/** The doubt about a requester alone; null if there is none, or for a number of the one-stop shop, of which nothing is known. */
export function doubtOf({ registryCode, number }: Requester): Doubt | null {
  if (registryCode === 'EU') return null;
  if (!hasForm({ registryCode, number })) {
    return `requester form: expected ${vatNumberFormats[registryCode].words}`;
  }
  const doubt = doubtOfSigns({ registryCode, number });
  return doubt === null ? null : `requester ${doubt}`;
}
