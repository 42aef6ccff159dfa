import type { CountryAndVatNumber } from '../wire.ts';

/** The path of the watch of a number. */
export function watchPathOf({ countryCode, vatNumber }: CountryAndVatNumber): string {
  return `/vatwatches/${encodeURIComponent(countryCode)}/${encodeURIComponent(vatNumber)}`;
}
