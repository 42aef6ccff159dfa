/** Values of the parameters of goods categories and territories, and the rules for them (rules G3, G8). */

export const categoryNames = {
  good: ['FOODSTUFFS', 'foodstuffs', 'REGION', 'NO_SUCH_THING', '100_YEARS_OLD'],
  bad: ['a b', 'a-b', 'BÜCHER', 'x'.repeat(101), ''],
} as const;

export const cnCodes = {
  good: ['49', '4902', '4901 10 00', '4901.10.00', '1234567890', '00'],
  bad: ['4', '4902a', '12345678901', '49,02', '٤٩', '4902-'],
} as const;

export const cpaCodes = {
  good: ['58', '58.1', '58.11', '58.11.3', '58.11.30'],
  bad: ['5', '581', '58.', '58.11.3.1', 'J58', '58,11', '58.113'],
} as const;

export const postcodes = {
  good: ['35001', '9400-123', '00 100', 'BT1 1AA', 'AX-22100', 'ab'],
  bad: ['1', '350/01', '12345678901', '35_01', ''],
} as const;

const isCountry = (text: string): boolean => /^[A-Za-z]{2}$/.test(text);
const isLimit = (text: string): boolean => /^[0-9]+$/.test(text) && /[1-9]/.test(text);

const findRules = {
  country: isCountry,
  category: (text: string) => /^[A-Za-z0-9_]{1,100}$/.test(text),
  cn: (text: string) => /^[0-9]{2,10}$/.test(text.replaceAll(' ', '').replaceAll('.', '')),
  cpa: (text: string) => /^[0-9]{2}(\.[0-9]{1,2}){0,2}$/.test(text),
  territories: (text: string) => text === 'include',
  // The fuzz has no cursor of an answer.
  cursor: () => false,
  limit: isLimit,
};

/** By operation, then by parameter. */
export const categoryRules = {
  findCategories: findRules,
  findCategoriesOfDate: findRules,
  listTerritories: {
    country: isCountry,
    postcode: (text: string) =>
      /^[A-Z0-9]{2,10}$/.test(text.toUpperCase().replaceAll(' ', '').replaceAll('-', '')),
  },
} as const;

/** The parameters that are refused because of others that are missing. */
export function missingFaults(
  id: string,
  {
    ids,
    names,
  }: { readonly ids: Readonly<Record<string, string>>; readonly names: readonly string[] },
): readonly string[] {
  const isFind = id === 'findCategories' || id === 'findCategoriesOfDate';
  if (isFind && !['country', 'category', 'cn', 'cpa'].some((one) => names.includes(one))) {
    return ['country'];
  }
  if (id === 'listTerritories' && names.includes('postcode') && !names.includes('country')) {
    return ['postcode'];
  }
  return id === 'listTerritoriesOfCountry' && !isCountry(ids['country'] ?? '') ? ['country'] : [];
}
