import { viesCodes } from '../numbers/vat-number-formats.ts';
import { registryOf } from '../numbers/vat-number.ts';

/** The official languages of the Union, in which spreadsheets name its countries. */
const languages = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(
  ' ',
);

/** Names that `Intl` does not have, or not in each version. */
const furtherNames: Readonly<Record<string, string>> = {
  'czech republic': 'CZ',
  'česká republika': 'CZ',
  'slovak republic': 'SK',
  'slovenská republika': 'SK',
  holland: 'NL',
  holandia: 'NL',
  'the netherlands': 'NL',
  'republic of ireland': 'IE',
  hellas: 'GR',
  ελλάς: 'GR',
  'northern ireland': 'XI',
  'great britain': 'GB',
  großbritannien: 'GB',
  england: 'GB',
};

/** Countries with a registry of their own beside VIES. */
const outside = ['GB', 'CH', 'NO'];

let codes: ReadonlyMap<string, string> | undefined;

/**
 * The code of a country whose numbers can be checked, from its code or its name in English or another language of the Union
 * (rule K12); undefined for another text. Monaco is one: its numbers are French ones.
 */
export function readCountryName(text: string): string | undefined {
  const written = text.trim();
  if (isCheckable(written)) return written.toUpperCase();
  const code = readName(written);
  return code === undefined || outside.includes(code) ? undefined : code;
}

/** The code of Great Britain, Switzerland or Norway, from its code or its name; undefined for another text. */
export function readOutsideName(text: string): string | undefined {
  const written = text.trim();
  const code = /^UK$/i.test(written) ? 'GB' : (readName(written) ?? written.toUpperCase());
  return outside.includes(code) ? code : undefined;
}

function readName(written: string): string | undefined {
  if (written.length < 4) return undefined;
  codes ??= nameCountries();
  return codes.get(written.normalize('NFC').toLowerCase());
}

/** Whether a text is the code of a country whose numbers can be checked. */
export function isCheckable(code: string): boolean {
  return registryOf(code) !== undefined;
}

let inEnglish: Intl.DisplayNames | undefined;

/** The English name of a code: `Greece` for `EL` and `GR`. */
export function englishName(code: string): string {
  const country = code.toUpperCase() === 'EL' ? 'GR' : code.toUpperCase();
  if (country === 'XI') return 'Northern Ireland';
  inEnglish ??= new Intl.DisplayNames('en', { type: 'region' });
  return inEnglish.of(country) ?? country;
}

function nameCountries(): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(furtherNames));
  const own = viesCodes
    .filter((code) => code !== 'XI')
    .map((code) => (code === 'EL' ? 'GR' : code));
  for (const language of languages) {
    const name = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of [...own, 'MC', ...outside]) {
      names.set((name.of(code) ?? code).normalize('NFC').toLowerCase(), code);
    }
  }
  return names;
}
