/** Common English names of the Member States. */
export const memberStates: Readonly<Record<string, string>> = {
  AT: 'Austria',
  BE: 'Belgium',
  BG: 'Bulgaria',
  HR: 'Croatia',
  CY: 'Cyprus',
  CZ: 'Czechia',
  DK: 'Denmark',
  EE: 'Estonia',
  FI: 'Finland',
  FR: 'France',
  DE: 'Germany',
  GR: 'Greece',
  HU: 'Hungary',
  IE: 'Ireland',
  IT: 'Italy',
  LV: 'Latvia',
  LT: 'Lithuania',
  LU: 'Luxembourg',
  MT: 'Malta',
  NL: 'Netherlands',
  PL: 'Poland',
  PT: 'Portugal',
  RO: 'Romania',
  SK: 'Slovakia',
  SI: 'Slovenia',
  ES: 'Spain',
  SE: 'Sweden',
};

/** Whom the registry of VAT numbers can be asked about: the Member States and Northern Ireland. */
export const checkable: Readonly<Record<string, string>> = {
  ...memberStates,
  XI: 'Northern Ireland',
};

/** The name of a country code; Greece also by the code that registries use. */
export function countryName(code: string): string {
  return code === 'EL' ? 'Greece' : (checkable[code] ?? code);
}
