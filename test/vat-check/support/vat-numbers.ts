import { parseVatNumber, type VatNumber } from '../../../src/vat-check/numbers/vat-number.ts';

/** Parses a VAT number; throws if the text is not one. */
export function numberOf(country: string, vat: string): VatNumber {
  const parsed = parseVatNumber(country, vat);
  if (parsed === undefined) throw new Error(`no VAT number: ${country} ${vat}`);
  return parsed;
}
