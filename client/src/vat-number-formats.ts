// A copy of src/vat-check/vat-number-formats.ts, made by npm run generate.

/** How VAT numbers of one registry are written, without the letters of their country. */
export type VatNumberFormat = {
  /**
   * The whole number, in upper case, without blanks and signs. It includes old forms and is wider than real numbers,
   * because it only finds the number in a text, and never refuses one.
   */
  readonly form: RegExp;
  /** Letters that people write in front of the number; by default only the registry code. */
  readonly prefixes?: readonly string[];
  /** A form that has lost its leading zeros. */
  readonly withoutZero?: RegExp;
};

/** The format of each registry: that of the VIES FAQ, and the forms that real numbers were seen in. */
const formats = {
  AT: { form: /^(?:U[0-9]{8})$/ },
  BE: { form: /^(?:[01][0-9]{9})$/, withoutZero: /^(?:[0-9]{9})$/ },
  BG: { form: /^(?:[0-9]{9}|[0-9]{10})$/ },
  CY: { form: /^(?:[0-9]{8}[A-Z])$/ },
  CZ: { form: /^(?:[0-9]{8}|[0-9]{9}|[0-9]{10})$/ },
  DE: { form: /^(?:[0-9]{9})$/ },
  DK: { form: /^(?:[0-9]{8})$/ },
  EE: { form: /^(?:[0-9]{9})$/ },
  EL: { form: /^(?:[0-9]{9})$/, prefixes: ['EL', 'GR'], withoutZero: /^(?:[0-9]{8})$/ },
  ES: { form: /^(?:[A-Z][0-9]{7}[0-9A-Z]|[0-9]{8}[A-Z])$/ },
  FI: { form: /^(?:[0-9]{8})$/ },
  FR: { form: /^(?:[0-9A-HJ-NP-Z]{2}[0-9]{9})$/ },
  HR: { form: /^(?:[0-9]{11})$/ },
  HU: { form: /^(?:[0-9]{8})$/ },
  IE: { form: /^(?:[0-9]{7}[A-Z]{1,2}|[0-9][A-Z+*][0-9]{5}[A-Z])$/ },
  IT: { form: /^(?:[0-9]{11})$/ },
  LT: { form: /^(?:[0-9]{9}|[0-9]{12})$/ },
  LU: { form: /^(?:[0-9]{8})$/ },
  LV: { form: /^(?:[0-9]{11})$/ },
  MT: { form: /^(?:[0-9]{8})$/ },
  NL: { form: /^(?:[0-9]{9}B[0-9]{2})$/, withoutZero: /^(?:[0-9]{7,8}B[0-9]{2})$/ },
  PL: { form: /^(?:[0-9]{10})$/ },
  PT: { form: /^(?:[0-9]{9})$/ },
  RO: { form: /^(?:[0-9]{2,10})$/ },
  SE: { form: /^(?:[0-9]{12})$/ },
  SI: { form: /^(?:[0-9]{8})$/ },
  SK: { form: /^(?:[0-9]{10})$/ },
  XI: {
    form: /^(?:[0-9]{9}|[0-9]{12}|(?:GD|HA)[0-9]{3}|(?:GD|HA)8888[0-9]{5})$/,
    prefixes: ['XI', 'GB'],
  },
} satisfies Readonly<Record<string, VatNumberFormat>>;

/** The registry codes of VIES: the Member States, Greece as `EL`, and Northern Ireland. */
export type RegistryCode = keyof typeof formats;

export const vatNumberFormats: Readonly<Record<RegistryCode, VatNumberFormat>> = formats;
