/** Sums of digits, from which check digits are computed. Texts have digits only, unless stated otherwise. */

/** The sum of digit × weight from the left. Digits beyond the last weight do not count. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);
}

/** The check digit that completes the digits by the algorithm of Luhn. */
export function luhnDigit(digits: string): number {
  const doubled = Array.from(digits, Number).reverse();
  const sum = doubled.reduce(
    (sum, digit, at) => sum + digitSum(at % 2 === 0 ? 2 * digit : digit),
    0,
  );
  return (10 - (sum % 10)) % 10;
}

/** The sum of both digits of a number below 100. */
export function digitSum(number: number): number {
  return Math.floor(number / 10) + (number % 10);
}

/** The check digit that completes the digits by ISO 7064, MOD 11,10. */
export function iso7064Digit(digits: string): number {
  const product = Array.from(digits, Number).reduce((product, digit) => {
    const sum = (digit + product) % 10;
    return (2 * (sum === 0 ? 10 : sum)) % 11;
  }, 10);
  return (11 - product) % 10;
}

/**
 * The remainder of a text by 97, as ISO 7064, MOD 97-10 reads it: letters are 10 to 35, `+` is 36 and `*` is 37, each
 * written as two digits.
 */
export function mod97(text: string): number {
  const value = (sign: string): number => '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+*'.indexOf(sign);
  return Array.from(text, value).reduce(
    (rest, value) => (rest * (value < 10 ? 10 : 100) + value) % 97,
    0,
  );
}

/** A remainder as the digit that is written for it; none for 10, for which no number is issued. */
export function oneDigit(remainder: number): readonly string[] {
  return remainder === 10 ? [] : [String(remainder)];
}

/** The digit that makes `isRight` hold; none if no digit does. */
export function solveDigit(isRight: (digit: number) => boolean): readonly string[] {
  return Array.from({ length: 10 }, (_, digit) => digit)
    .filter(isRight)
    .map(String);
}

/** A number below 100 as two digits. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
