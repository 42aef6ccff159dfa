import { isOfCountry, type PostcodeRule, territories, type Territory } from './territory.ts';

/** The numbers of characters that a postcode of a country has; any number if a country is missing. */
const lengthsOf: Readonly<Record<string, readonly number[]>> = {
  AT: [4],
  CH: [4],
  DE: [5],
  DK: [4],
  ES: [5],
  FI: [5],
  FR: [5],
  GR: [5],
  IT: [5],
  // 9400-123 is 9400 with the number of a street.
  PT: [4, 7],
};

/** Codes of countries with British postcodes. */
const britishCodes: readonly string[] = ['GB', 'GG', 'IM', 'JE', 'XI'];

export type PostcodeMatch = {
  readonly territories: readonly Territory[];
  /** False if other territories, or the rest of the country, have the postcode as well. */
  readonly decided: boolean;
};

/** Reads a postcode: upper case, without blanks, hyphens and the country in front. Undefined if it is malformed. */
export function parsePostcode(text: string, country: string): string | undefined {
  const plain = text.toUpperCase().replaceAll(/[ -]/g, '');
  if (!/^[A-Z0-9]{2,10}$/.test(plain)) return undefined;
  // AX-22100, D-78266; British postcodes begin with letters of their own.
  return britishCodes.includes(country) ? plain : plain.replace(/^[A-Z]{1,2}(?=[0-9]+$)/, '');
}

/**
 * Finds the territories that contain a postcode: those whose rule matches most characters (rule G8).
 *
 * @param country The country in the address; codes of territories that are used as countries are accepted.
 */
export function findByPostcode(country: string, postcode: string): PostcodeMatch {
  const matches = territories.flatMap((territory) =>
    territory.postcodes.flatMap((rule) => {
      const isAsked =
        rule.country === undefined ? isOfCountry(territory, country) : rule.country === country;
      const length = isAsked ? matchRule(rule, rule.country ?? territory.country, postcode) : 0;
      return length === 0 ? [] : [{ territory, length, isShared: rule.shared === true }];
    }),
  );
  const longest = Math.max(0, ...matches.map(({ length }) => length));
  const best = matches.filter(({ length }) => length === longest);
  const found = [...new Set(best.map(({ territory }) => territory))];
  return {
    territories: found,
    decided: found.length < 2 && !best.some(({ isShared }) => isShared),
  };
}

/** The number of characters that a rule compares; 0 if it does not contain the postcode. */
function matchRule(rule: PostcodeRule, country: string, postcode: string): number {
  const lengths = lengthsOf[country];
  if (lengths !== undefined && !lengths.includes(postcode.length)) return 0;
  if (rule.except?.some((one) => postcode.startsWith(one)) === true) return 0;
  if (rule.prefix !== undefined) return postcode.startsWith(rule.prefix) ? rule.prefix.length : 0;
  const { from, to } = rule;
  const compared = postcode.slice(0, from.length);
  const isWhole = compared.length === postcode.length || country === 'PT';
  return isWhole && compared.length === from.length && from <= compared && compared <= to
    ? from.length
    : 0;
}
