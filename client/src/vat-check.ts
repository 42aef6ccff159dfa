/** The registry's answer about a VAT number (interface 2.4). */
export type VatCheck = {
  /** The country as the caller sent it: `GR` stays `GR`, `EL` stays `EL`. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The registry's date of the check, with its offset: `2026-11-20+01:00`. Keep it as evidence. */
  readonly requestDate: string;
  /** False only if the registry looked the number up and it is not registered. */
  readonly valid: boolean;
  /** Null if the Member State does not disclose it; so is `address`. */
  readonly name: string | null;
  readonly address: string | null;
};
