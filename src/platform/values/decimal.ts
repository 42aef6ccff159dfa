/**
 * Decimals as text (contract C11).
 *
 * Rates are relayed, never computed with: a value is the canonical text of its decimal, without
 * leading or trailing zeros, so that 5.5, 5.50 and 05.5 are one string and equality is `===`.
 */

/** Plain decimal notation, with more digits than any real rate, and so few that no value fills the memory. */
export const decimalPattern = /^[0-9]{1,15}(\.[0-9]{1,15})?$/;
const canonicalPattern = /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;

/**
 * Reads plain decimal notation to its canonical text: `25.0` → `25`, `0.87260` → `0.8726`.
 *
 * Undefined for signs, exponents, `INF`, blanks and anything over 15 digits on a side.
 */
export function parseDecimal(text: string): string | undefined {
  if (!decimalPattern.test(text)) return undefined;
  // Nearly every rate is canonical already, and a full history has 200,000 of them.
  if (canonicalPattern.test(text)) return text;

  const [whole = '', fraction = ''] = text.split('.');
  const significant = whole.replace(/^0+(?=[0-9])/, '');
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? significant : `${significant}.${kept}`;
}

/** Orders canonical decimals by value: negative if `a` is smaller. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1;
  // Fractions compare as text: without trailing zeros, a prefix is the smaller value.
  if (fractionA === fractionB) return 0;
  return fractionA < fractionB ? -1 : 1;
}
