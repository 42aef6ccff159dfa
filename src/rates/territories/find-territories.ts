import { isNamedBy, type PostcodeRule, territories, type Territory } from './territory.ts';

const fourDigits = /^\d{4}$/;
const fiveDigits = /^\d{5}$/;

/** The form of the postcodes of a country; any form if a country is missing. */
const formOf: Readonly<Record<string, RegExp>> = {
  AT: fourDigits,
  CH: fourDigits,
  // Turkish Cypriot codes have five digits.
  CY: /^(?:\d{4}|99\d{3})$/,
  DE: fiveDigits,
  DK: fourDigits,
  ES: fiveDigits,
  FI: fiveDigits,
  FR: fiveDigits,
  GR: fiveDigits,
  IT: fiveDigits,
  // 9400-123 is 9400 with the number of a street.
  PT: /^\d{4}(?:\d{3})?$/,
};

/** Codes of countries with British postcodes. */
const britishCodes: readonly string[] = ['GB', 'GG', 'GI', 'IM', 'JE', 'XI'];

/** Territories, and whether they are those of the address; undefined if no single place was asked for. */
export type TerritoryMatch = {
  readonly territories: readonly Territory[];
  /**
   * False if several territories, or a territory and the rest of the country, have the postcode, or if it is no postcode of
   * that country by its form.
   */
  readonly decided: boolean | undefined;
};

/** Reads a postcode: upper case, without blanks, hyphens and the country in front. Undefined if it is malformed. */
export function parsePostcode(text: string, country: string): string | undefined {
  const plain = text.toUpperCase().replaceAll(/[ -]/g, '');
  if (!/^[A-Z0-9]{2,10}$/.test(plain)) return undefined;
  // AX-22100, D-78266; British postcodes begin with letters of their own.
  return britishCodes.includes(country) ? plain : plain.replace(/^[A-Z]{1,2}(?=[0-9]+$)/, '');
}

/**
 * Finds the territories of a country or, with a postcode, those that contain it (rule G8).
 *
 * @param country The country in the address. If its code is that of a territory, it decides without a postcode; a postcode
 *   then only chooses between several with the same code (`EA` is Ceuta and Melilla).
 */
export function findTerritories(country: string, postcode: string | undefined): TerritoryMatch {
  const named = territories.filter((one) => isNamedBy(one, country));
  const [first] = named;
  if (first !== undefined) {
    const containing =
      postcode === undefined ? [] : findByPostcode(first.country, postcode).territories;
    const chosen = named.filter((one) => containing.includes(one));
    const found = named.length > 1 && chosen.length > 0 ? chosen : named;
    return { territories: found, decided: found.length === 1 };
  }
  if (postcode !== undefined) return findByPostcode(country, postcode);
  return { territories: territories.filter((one) => one.country === country), decided: undefined };
}

/** The territories whose rule matches most characters of a postcode. */
function findByPostcode(country: string, postcode: string): TerritoryMatch {
  if (formOf[country]?.test(postcode) === false) return { territories: [], decided: false };
  const matches = territories.flatMap((territory) =>
    territory.postcodes.flatMap((rule) => {
      const isAsked = (rule.country ?? territory.country) === country;
      const length = isAsked ? matchRule(rule, country, postcode) : 0;
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
  if (rule.except?.some((one) => postcode.startsWith(one)) === true) return 0;
  if (rule.prefix !== undefined) return postcode.startsWith(rule.prefix) ? rule.prefix.length : 0;
  const { from, to } = rule;
  const compared = postcode.slice(0, from.length);
  const isWhole = compared.length === postcode.length || country === 'PT';
  return isWhole && compared.length === from.length && from <= compared && compared <= to
    ? from.length
    : 0;
}
