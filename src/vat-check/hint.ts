import { algorithms } from './check-digits/algorithms.ts';
import type { Requester } from './requester.ts';
import { vatNumberFormats } from './vat-number-formats.ts';
import { hasForm, type ReadingRemark, type ReadVatNumber, type VatNumber } from './vat-number.ts';

/** A remark about the number of a check or its requester, as callers receive it (rule K3). It never refuses a number. */
export type Hint =
  | 'number of the small-enterprise scheme (EX): not in VIES'
  | `form: expected ${string}`
  | `check digit: expected ${string}`
  | 'check digit does not match'
  | "requester's own number"
  | 'requester and customer are of the same Member State'
  | `requester form: expected ${string}`
  | typeof withoutConsultationNumber
  | typeof refusedTextHint
  | ReadingRemark;

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
export function hintOf({ vatNumber, remark }: ReadVatNumber, requester?: Requester): Hint | null {
  return hintOfNumber(vatNumber) ?? hintOfRequester(vatNumber, requester) ?? remark;
}

/**
 * The hint of an answered check, whose hint at its creation is given: an answer without a consultation number, though a
 * requester was sent, is worth more than a remark on the reading.
 */
export function hintOfAnswer(
  hint: string | null,
  {
    hasRequester,
    consultationNumber,
  }: { hasRequester: boolean; consultationNumber: string | null },
): string | null {
  const isNamed = hint !== null && !remarks.includes(hint);
  return isNamed || !hasRequester || consultationNumber !== null ? hint : withoutConsultationNumber;
}

/**
 * The check digit is compared only if the number has its country's form. If the country has several algorithms for this
 * form, a number is right by any of them; otherwise all that they expect are named: `check digit: expected 3 or 7`.
 * Countries with two check digits have both: `check digit: expected 06`.
 */
function hintOfNumber(vatNumber: VatNumber): Hint | null {
  const { registryCode, number } = vatNumber;
  if (!hasForm(vatNumber)) {
    return number.endsWith('EX')
      ? 'number of the small-enterprise scheme (EX): not in VIES'
      : `form: expected ${vatNumberFormats[registryCode].words}`;
  }
  const signs = algorithms[registryCode]
    .filter(({ form }) => form?.test(number) !== false)
    .map(({ check }) => check(number));
  const isRight = signs.some(({ at, expected }) =>
    expected.some((one) => number.startsWith(one, at)),
  );
  if (isRight || signs.length === 0) return null;
  const expected = [...new Set(signs.flatMap((one) => one.expected))];
  if (expected.length === 0) return 'check digit does not match';
  return `check digit: expected ${expected.join(' or ')}`;
}

function hintOfRequester(vatNumber: VatNumber, requester: Requester | undefined): Hint | null {
  if (requester === undefined) return null;
  const { registryCode, number } = requester;
  if (registryCode === vatNumber.registryCode) {
    return number === vatNumber.number
      ? "requester's own number"
      : 'requester and customer are of the same Member State';
  }
  if (registryCode === 'EU' || hasForm({ registryCode, number })) return null;
  return `requester form: expected ${vatNumberFormats[registryCode].words}`;
}
