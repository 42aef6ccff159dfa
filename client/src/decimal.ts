/** The ways to drop further digits; `half-up` rounds halves away from zero. */
export const roundings = ['half-up', 'half-even', 'down', 'up'] as const;
export type Rounding = (typeof roundings)[number];

/** An exact number: `over / under`, with `under` above 0. */
export type Fraction = { readonly over: bigint; readonly under: bigint };

/** 40 digits are more than any amount of money has, and few enough that no text can fill the memory. */
const decimalPattern = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/;

/** Reads a decimal. Undefined for exponents, blanks, `+`, and more than 40 digits before or after the point. */
export function readDecimal(text: string): Fraction | undefined {
  const match = decimalPattern.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', decimals = ''] = match;
  return { over: BigInt(sign + whole + decimals), under: 10n ** BigInt(decimals.length) };
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under };
}

/** Divides by a fraction above 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under, under: a.under * b.over };
}

/** Prints a fraction with a number of decimals: 2/3 with 2 is `0.67`. Zero has no sign. */
export function printRounded(
  { over, under }: Fraction,
  decimals: number,
  rounding: Rounding,
): { readonly text: string; readonly isExact: boolean } {
  const isNegative = over < 0n;
  const scaled = (isNegative ? -over : over) * 10n ** BigInt(decimals);
  const down = scaled / under;
  const rest = scaled % under;
  const rounded = isRoundedUp({ down, rest, under }, rounding) ? down + 1n : down;

  const digits = rounded.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = isNegative && rounded !== 0n ? '-' : '';
  const text = decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
  return { text, isExact: rest === 0n };
}

function isRoundedUp(
  { down, rest, under }: { readonly down: bigint; readonly rest: bigint; readonly under: bigint },
  rounding: Rounding,
): boolean {
  if (rest === 0n) return false;
  switch (rounding) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'half-up':
      return rest * 2n >= under;
    case 'half-even':
      return rest * 2n > under || (rest * 2n === under && down % 2n === 1n);
  }
}
