import type { PostcodeRule } from '../territories/territory.ts';

/**
 * Lists the postcodes of a rule as shops write them: whole codes, and beginnings with `*`.
 *
 *     listPatterns({ from: '81100', to: '81113' }, 'GR')  // ['8110*', '81110', '81111', '81112', '81113']
 *
 * Not as ranges: shops compare a Portuguese `9500-123` with a range as the number 9500123.
 */
export function listPatterns(rule: PostcodeRule, country: string): string[] {
  if (rule.prefix !== undefined) return [`${rule.prefix}*`];
  const { from, to } = rule;
  // The rules of Portugal have the first four of seven digits.
  const isWhole = (code: string): boolean => country !== 'PT' && code.length === from.length;
  return listPrefixes(from, to).map((code) => (isWhole(code) ? code : `${code}*`));
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
