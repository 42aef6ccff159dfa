import { registryCodes } from './registry-codes.ts';
import {
  parseVatNumber,
  type RegistryCode,
  splitCountry,
  withoutSeparators,
} from './vat-number.ts';

/**
 * The number on whose behalf the registry is queried: a VAT number, or `EU` and 9 digits for a seller outside the Union in the
 * one-stop shop (rule K4).
 */
export type Requester = { readonly registryCode: RegistryCode | 'EU'; readonly number: string };

/** Reads a requester as callers write it; undefined for one that no registry can be queried for. */
export function parseRequester(
  country: string,
  number: string,
  known?: readonly RegistryCode[],
): Requester | undefined {
  const isUnion = country.trim().toUpperCase() === 'EU';
  const digits = isUnion
    ? /^(?:EU)*([0-9]{9})$/.exec(withoutSeparators(number) ?? '')?.[1]
    : undefined;
  return digits === undefined
    ? parseVatNumber(country, number, known)
    : { registryCode: 'EU', number: digits };
}

/**
 * Reads a requester as an operator writes it, with its country in front: `NL854265259B01`. Undefined if no registry knows
 * the country, or if the rest cannot be a number.
 */
export function readRequesterText(
  text: string,
  known: readonly RegistryCode[] = registryCodes,
): Requester | undefined {
  const { countryCode, vatNumber } = splitCountry(text);
  return parseRequester(countryCode, vatNumber, known);
}

/** Reads requesters that are separated by commas, without those that cannot be read; none for an empty text. */
export function readRequesters(text: string): readonly Requester[] {
  return text.split(',').flatMap((one) => readRequesterText(one) ?? []);
}

/** The requesters of the service: those of REQUESTERS, or the one of VIES_REQUESTER. */
export function requestersOf({
  requesters,
  viesRequester,
}: {
  readonly requesters: string;
  readonly viesRequester: string;
}): readonly Requester[] {
  return readRequesters(requesters || viesRequester);
}

/** The text of a requester as keys store it: `NL854265259B01`, and `EL…` for Greece. */
export function printRequester({ registryCode, number }: Requester): string {
  return `${registryCode}${number}`;
}
