// A copy of src/vat-check/numbers/vat-number-formats.ts, made by npm run generate.

/** How VAT numbers of one registry are written, without the letters of their country. */
export type VatNumberFormat = {
  /**
   * The whole number, in upper case, without blanks and signs. It includes old forms and is wider than real numbers,
   * because it only finds the number in a text, and never refuses one.
   */
  readonly form: RegExp;
  /** The form in words: `U and 8 digits`. */
  readonly words: string;
  /** Letters that people write in front of the number; by default only the registry code. */
  readonly prefixes?: readonly string[];
  /** A form that has lost its leading zeros. */
  readonly withoutZero?: RegExp;
};

/** The formats of VIES: those of its FAQ, and the forms that real numbers were seen in. */
const viesFormats = {
  AT: { form: /^(?:U[0-9]{8})$/, words: 'U and 8 digits' },
  BE: {
    form: /^(?:[01][0-9]{9})$/,
    withoutZero: /^(?:[0-9]{9})$/,
    words: '10 digits, the first 0 or 1',
  },
  BG: { form: /^(?:[0-9]{9}|[0-9]{10})$/, words: '9 or 10 digits' },
  CY: { form: /^(?:[0-9]{8}[A-Z])$/, words: '8 digits and a letter' },
  CZ: { form: /^(?:[0-9]{8}|[0-9]{9}|[0-9]{10})$/, words: '8, 9 or 10 digits' },
  DE: { form: /^(?:[0-9]{9})$/, words: '9 digits' },
  DK: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  EE: { form: /^(?:[0-9]{9})$/, words: '9 digits' },
  EL: {
    form: /^(?:[0-9]{9})$/,
    prefixes: ['EL', 'GR'],
    withoutZero: /^(?:[0-9]{8})$/,
    words: '9 digits',
  },
  ES: {
    form: /^(?:[A-Z][0-9]{7}[0-9A-Z]|[0-9]{8}[A-Z])$/,
    words: '9 characters: a letter first, last or both, and digits',
  },
  FI: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  FR: { form: /^(?:[0-9A-HJ-NP-Z]{2}[0-9]{9})$/, words: '2 characters and 9 digits' },
  HR: { form: /^(?:[0-9]{11})$/, words: '11 digits' },
  HU: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  IE: {
    form: /^(?:[0-9]{7}[A-Z]{1,2}|[0-9][A-Z+*][0-9]{5}[A-Z])$/,
    words: '7 digits and 1 or 2 letters, in 8 or 9 characters',
  },
  IT: { form: /^(?:[0-9]{11})$/, words: '11 digits' },
  LT: { form: /^(?:[0-9]{9}|[0-9]{12})$/, words: '9 or 12 digits' },
  LU: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  LV: { form: /^(?:[0-9]{11})$/, words: '11 digits' },
  MT: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  NL: {
    form: /^(?:[0-9]{9}B[0-9]{2})$/,
    withoutZero: /^(?:[0-9]{7,8}B[0-9]{2})$/,
    words: '9 digits, B and 2 digits',
  },
  PL: { form: /^(?:[0-9]{10})$/, words: '10 digits' },
  PT: { form: /^(?:[0-9]{9})$/, words: '9 digits' },
  RO: { form: /^(?:[0-9]{2,10})$/, words: '2 to 10 digits' },
  SE: { form: /^(?:[0-9]{12})$/, words: '12 digits' },
  SI: { form: /^(?:[0-9]{8})$/, words: '8 digits' },
  SK: { form: /^(?:[0-9]{10})$/, words: '10 digits' },
  XI: {
    form: /^(?:[0-9]{9}|[0-9]{12}|(?:GD|HA)[0-9]{3}|(?:GD|HA)8888[0-9]{5})$/,
    prefixes: ['XI', 'GB'],
    words: '9 or 12 digits, or GD or HA and 3 digits',
  },
} satisfies Readonly<Record<string, VatNumberFormat>>;

/** The formats of the countries whose numbers other registries answer for (rule M5). */
const otherFormats = {
  GB: { form: /^(?:[0-9]{9}|[0-9]{12})$/, words: '9 or 12 digits' },
} satisfies Readonly<Record<string, VatNumberFormat>>;

/** The code of a country whose numbers VIES answers for: a Member State, Greece as `EL`, or Northern Ireland. */
export type ViesCode = keyof typeof viesFormats;

/** The code of a country whose numbers a registry answers for. */
export type RegistryCode = ViesCode | keyof typeof otherFormats;

/** The countries of VIES. */
export const viesCodes = Object.keys(viesFormats) as readonly ViesCode[];

export const vatNumberFormats: Readonly<Record<RegistryCode, VatNumberFormat>> = {
  ...viesFormats,
  ...otherFormats,
};
