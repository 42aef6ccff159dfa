/** What the registry says about a VAT number (interface 2.4). */
export type VatCheck = {
  /** As it was sent: `GR` stays `GR`, `EL` stays `EL`. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The registry's own date of the check with its offset: `2026-11-20+01:00`. Keep it as evidence. */
  readonly requestDate: string;
  /** False only when the registry looked and the number is not on file. */
  readonly valid: boolean;
  /** Null where the Member State does not disclose it. */
  readonly name: string | null;
  readonly address: string | null;
};
