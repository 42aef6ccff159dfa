import { parseVatNumber, type VatNumber } from '../../../src/vat-check/vat-number.ts';

/** A VAT number as it was sent; throws for what is none. */
export function numberOf(country: string, vat: string): VatNumber {
  const parsed = parseVatNumber(country, vat);
  if (parsed === undefined) throw new Error(`no VAT number: ${country} ${vat}`);
  return parsed;
}
