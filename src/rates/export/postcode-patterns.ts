import type { PostcodeRule } from '../territories/territory.ts';

/**
 * Lists the postcodes of a rule as shops write them: whole codes, and beginnings with `*`.
 *
 *     listPatterns({ from: '81100', to: '81113' }, 'GR')  // ['8110*', '81110', '81111', '81112', '81113']
 *
 * Not as ranges: shops compare a Portuguese `9500-123` with a range as the number 9500123.
 */
export function listPatterns(rule: PostcodeRule, country: string): string[] {
  return listBeginnings(rule).map(({ digits, missing }) =>
    // The rules of Portugal have the first four of seven digits.
    missing === 0 && country !== 'PT' ? digits : `${digits}*`,
  );
}

/**
 * Prints the postcodes of a place as one regular expression, which finds exactly its codes, whether a program compares the
 * whole postcode or searches in it. A blank or hyphen may stand where the country writes one, and in Portugal the last three
 * digits, those of a street, may be left out.
 *
 *     printExpression([{ prefix: '35' }, { prefix: '38' }], 'ES')  // '^(35\\d{3}|38\\d{3})$'
 *
 * @param rules Without those of another country's post and those of postcodes that are shared.
 */
export function printExpression(rules: readonly PostcodeRule[], country: string): string {
  const codes = rules
    .flatMap(withoutExceptions)
    .flatMap(listBeginnings)
    .map(({ digits, missing }) => printCode(digits, missing, country));
  return `^(${codes.join('|')})$`;
}

function printCode(digits: string, missing: number, country: string): string {
  const any = ['', '\\d'][missing] ?? `\\d{${missing}}`;
  if (country === 'PT') return `${digits}${any}(?:[ -]?\\d{3})?`;
  // 630 86. The rules of Greece leave out one digit at most, so the first three are there.
  if (country === 'GR') return `${digits.slice(0, 3)}[ -]?${digits.slice(3)}${any}`;
  return `${digits}${any}`;
}

/** The digits of the postcodes of the countries whose rules are beginnings: ES, FI, FR and IT. */
const digitsOfPrefixed = 5;

/** A rule as ranges between the codes of other places. */
function withoutExceptions(rule: PostcodeRule): readonly PostcodeRule[] {
  const { prefix, except = [] } = rule;
  if (prefix === undefined || except.length === 0) return [rule];
  const print = (code: number): string => String(code).padStart(digitsOfPrefixed, '0');
  const last = Number(prefix.padEnd(digitsOfPrefixed, '9'));
  let next = Number(prefix.padEnd(digitsOfPrefixed, '0'));
  const ranges = [...except.map(Number).toSorted((a, b) => a - b), last + 1].map((end) => {
    const range = { from: print(next), to: print(end - 1) };
    next = end + 1;
    return range;
  });
  return ranges.filter(({ from, to }) => from <= to);
}

/** The shortest beginnings that together have exactly the codes of a rule, with the number of digits that are missing. */
function listBeginnings(
  rule: PostcodeRule,
): readonly { readonly digits: string; readonly missing: number }[] {
  const { prefix, from = '', to = '' } = rule;
  if (prefix !== undefined) return [{ digits: prefix, missing: digitsOfPrefixed - prefix.length }];
  return listPrefixes(from, to).map((digits) => ({
    digits,
    missing: from.length - digits.length,
  }));
}

/** The shortest beginnings that together have exactly the codes of a range; both ends have as many digits. */
function listPrefixes(from: string, to: string): string[] {
  if (/^0*$/.test(from) && /^9*$/.test(to)) return [''];
  const [first, last] = [Number(from[0]), Number(to[0])];
  const digits = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return digits.flatMap((digit) => {
    const rest = [from, to].map((end) => end.slice(1));
    const [low = '', high = ''] = rest;
    return listPrefixes(
      digit === first ? low : '0'.repeat(low.length),
      digit === last ? high : '9'.repeat(high.length),
    ).map((prefix) => `${digit}${prefix}`);
  });
}
