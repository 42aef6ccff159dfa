import { algorithms } from '../check-digits/algorithms.ts';
import { vatNumberFormats } from '../vat-number-formats.ts';
import type { ReadVatNumber, VatNumber } from '../vat-number.ts';

/** A remark about the number of a stored check, as callers receive it (rule K3). It never refuses a number. */
export type Hint = `check digit: expected ${string}` | 'prefix removed' | 'leading 0 added';

/**
 * The hint about a number (rule K3), or null if there is nothing to say.
 *
 * Of several hints the one that may need an action comes first: a check digit that is wrong in the number that is
 * queried, then a prefix that was removed, then a 0 that was added.
 *
 * The check digit is compared only if the number has its country's form, and one can be named that would be right. If the
 * country has several algorithms for this form, a number is right by any of them; otherwise all that they expect are
 * named: `check digit: expected 3 or 7`. Countries with two check digits have both: `check digit: expected 06`.
 */
export function hintOf({ vatNumber, isPrefixRemoved, isZeroAdded }: ReadVatNumber): Hint | null {
  const expected = expectedSigns(vatNumber);
  if (expected.length > 0) return `check digit: expected ${expected.join(' or ')}`;
  if (isPrefixRemoved) return 'prefix removed';
  return isZeroAdded ? 'leading 0 added' : null;
}

/** The check signs of which the number should have one; empty if it has one, or if none is known. */
function expectedSigns({ registryCode, number }: VatNumber): readonly string[] {
  if (!vatNumberFormats[registryCode].form.test(number)) return [];
  const all = algorithms[registryCode]
    .filter(({ form }) => form?.test(number) !== false)
    .map(({ check }) => check(number));
  const isRight = all.some(({ at, expected }) =>
    expected.some((signs) => number.startsWith(signs, at)),
  );
  return isRight ? [] : [...new Set(all.flatMap(({ expected }) => expected))];
}
