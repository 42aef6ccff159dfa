import { parseVatNumber, type VatNumber } from './vat-number.ts';

/**
 * Reads a requester as an operator writes it, with its country in front: `NL854265259B01`. Undefined if no registry knows
 * the country, or if the rest cannot be a number.
 */
export function readRequesterText(text: string): VatNumber | undefined {
  const written = text.trim();
  return parseVatNumber(written.slice(0, 2), written.slice(2));
}

/** The text of a requester as keys store it: `NL854265259B01`, and `EL…` for Greece. */
export function printRequester({ registryCode, number }: VatNumber): string {
  return `${registryCode}${number}`;
}
