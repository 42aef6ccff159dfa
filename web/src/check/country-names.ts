import { checkable } from '../countries.ts';
import { isCountry } from './read-numbers.ts';

/** The official languages of the Union, in which spreadsheets name its countries. */
const languages = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(
  ' ',
);

let codes: ReadonlyMap<string, string> | undefined;

/** The code of a country whose numbers can be checked, from its code or its name; undefined for another text. */
export function readCountryName(text: string): string | undefined {
  const written = text.trim();
  if (isCountry(written)) return written.toUpperCase();
  codes ??= nameCountries();
  return codes.get(written.toLowerCase());
}

function nameCountries(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [code, english] of Object.entries(checkable)) names.set(english.toLowerCase(), code);
  for (const language of languages) {
    const name = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of Object.keys(checkable)) {
      if (code !== 'XI') names.set((name.of(code) ?? code).toLowerCase(), code);
    }
  }
  return names;
}
