/** Values of the parameters of goods categories and territories, and the rules for them (rules G3, G8). */

export const categoryNames = {
  good: ['FOODSTUFFS', 'foodstuffs', 'REGION', 'NO_SUCH_THING', '100_YEARS_OLD'],
  bad: ['a b', 'a-b', 'BÜCHER', 'x'.repeat(101), ''],
} as const;

export const cnCodes = {
  good: ['49', '4902', '4901 10 00', '4901.10.00', '4901-10', 'ex 0401', '1234567890', '00'],
  bad: ['4', '401', '4011010', '4902a', '12345678901', '49,02', '٤٩', 'ex'],
} as const;

export const cpaCodes = {
  good: ['58', '58.1', '58.11', '58.11.3', '58.11.30', '581', '58.113', 'J58', 'F'],
  bad: ['5', '58.', '58.11.3.1', 'J', 'Z58', '58,11', '5811301'],
} as const;

export const postcodes = {
  good: ['35001', '9400-123', '00 100', 'BT1 1AA', 'AX-22100', 'ab'],
  bad: ['1', '350/01', '12345678901', '35_01', ''],
} as const;

const states =
  'AT BE BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK';
/** Codes of addresses that are no Member State's: of territories, of the states that they belong to, of posts. */
const places =
  'AW AX BL BQ CH CW EA FO GB GF GG GI GL GP IC IM JE MC MF MQ NC PF PM RE SM SX TF VA WF XI YT AT-JUN AT-MIT CY-N ' +
  'CY-SBA DE-BUS DE-HEL ES-CE ES-CN ES-ML FI-01 FR-20R FR-2A FR-2B FR-971 FR-972 FR-973 FR-974 FR-976 FR-BL FR-MF ' +
  'FR-NC FR-PF FR-PM FR-TF FR-WF GB-NIR GR-69 GR-AEG4 GR-AEG4A IT-CAM IT-LIV IT-LUG PT-20 PT-30';
const isOneOf =
  (codes: string) =>
  (text: string): boolean =>
    /^[A-Za-z0-9-]+$/.test(text) && codes.split(' ').includes(text.toUpperCase());
const isState = isOneOf(states);
const isAddressCountry = isOneOf(`${states} ${places}`);

/** Countries of goods and of addresses. */
export const memberCountries = {
  good: ['AT', 'be', 'EL', 'gr', 'Fr'],
  bad: ['UK', 'GB', 'US', 'XI', 'AUT', 'A', ''],
} as const;
export const addressCountries = {
  good: ['AT', 'es', 'EL', 'FO', 'mc', 'XI', 'CH', 'IC'],
  bad: ['UK', 'US', 'NO', 'ESP', '1', ''],
} as const;
const isLimit = (text: string): boolean => /^[0-9]+$/.test(text) && /[1-9]/.test(text);

const findRules = {
  country: isState,
  category: (text: string) => /^[A-Za-z0-9_]{1,100}$/.test(text),
  cn: (text: string) =>
    /^(?:[0-9][0-9]){1,5}$/.test(
      text.replace(/^\s*ex(?=[\s0-9])/i, '').replaceAll(/[\s.\-\u2010-\u2015\u2212]/g, ''),
    ),
  cpa: (text: string) =>
    /^(?:F|[A-U]?[0-9]{2}(\.?[0-9]{1,2}(\.?[0-9]{1,2})?)?)$/.test(text.trim().toUpperCase()),
  territories: (text: string) => text === 'include',
  uncoded: (text: string) => text === 'include',
  // The fuzz has no cursor of an answer.
  cursor: () => false,
  limit: isLimit,
};

/** By operation, then by parameter. */
export const categoryRules = {
  findCategories: findRules,
  findCategoriesOfDate: findRules,
  listTerritories: {
    country: isAddressCountry,
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
  if (isFind && names.includes('uncoded') && !names.includes('cn') && !names.includes('cpa')) {
    return ['uncoded'];
  }
  if (id === 'listTerritories' && names.includes('postcode') && !names.includes('country')) {
    return ['postcode'];
  }
  return id === 'listTerritoriesOfCountry' && !isAddressCountry(ids['country'] ?? '')
    ? ['country']
    : [];
}
