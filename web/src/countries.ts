import { memberStates as states } from '../../src/rates/member-states.ts';

/** English names of the Member States by country code, in the order of the names. */
export const memberStates: Readonly<Record<string, string>> = Object.fromEntries(
  states
    .map(({ country, name }) => [country, name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en')),
);

/** The countries whose VAT numbers can be checked: the Member States and Northern Ireland. */
export const checkable: Readonly<Record<string, string>> = {
  ...memberStates,
  XI: 'Northern Ireland',
};

/** The name of a country code or a registry code; Greece is `GR` or `EL`. */
export function countryName(code: string): string {
  return code === 'EL' ? 'Greece' : (checkable[code] ?? code);
}
