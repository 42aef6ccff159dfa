import { hasForm, parseVatNumber, withoutSeparators } from '../numbers/vat-number.ts';
import { isCheckable, readCountryName } from './country-names.ts';
import { explainForm, explainOutside } from './explain.ts';
import { endsWithLabel } from './labels.ts';
import { isDate, nameOther } from './other-texts.ts';

/** A number inside of a text, as it is written there, without the words before it. */
export type FoundNumber = {
  /** The letters in front of it, or the country that was chosen or named. */
  readonly countryCode: string;
  readonly vatNumber: string;
};

/** A part of a text that has letters of a country and is no number of it. */
export type FoundFault = { readonly text: string; readonly fault: string };

/** Whether a text is a number of a country, and has its form. */
export function hasFormOf(text: string, country: string): boolean {
  const number = parseVatNumber(country, text);
  return number !== undefined && hasForm(number);
}

type Word = { readonly text: string; readonly at: number; readonly end: number };
type Candidate = FoundNumber & { readonly words: number };

/**
 * The numbers inside of a running text: those that have the letters or the name of their country in front and its form, and of
 * the chosen country also those behind a label (`CIF B83891812`). They are whole words, so that a number that is too long is
 * never cut. `faults` names parts that look like a number and are none.
 */
export function findNumbers(
  written: string,
  country: string,
): { readonly numbers: readonly FoundNumber[]; readonly faults: readonly FoundFault[] } {
  const text = written.normalize('NFKC');
  const words = Array.from(text.matchAll(/[\p{L}\p{N}+*]+/gu), ({ 0: word, index }) => ({
    text: word,
    at: index,
    end: index + word.length,
  }));
  const numbers: FoundNumber[] = [];
  const faults: FoundFault[] = [];
  let before = 0;
  for (let at = 0; at < words.length; at += 1) {
    const near = nearWords(text, words, at);
    const found =
      findLettered(text, near) ??
      findNamed(text, near) ??
      findLabelled(text, near, { country, before: text.slice(before, near[0]?.at) });
    const fault = found === undefined ? findFault(text, near) : undefined;
    if (fault !== undefined) faults.push(fault);
    if (found !== undefined)
      numbers.push({ countryCode: found.countryCode, vatNumber: found.vatNumber });
    const used = found?.words ?? fault?.words ?? 0;
    if (used === 0) continue;
    at += used - 1;
    before = words[at]?.end ?? before;
  }
  return { numbers, faults };
}

/** The most words of a number, with its letters: `NL 85 42 65 25 9 B 01`. */
const wordsMax = 9;

/** A word, and those behind it with no more than a blank or a sign between them. */
function nearWords(text: string, words: readonly Word[], at: number): readonly Word[] {
  const near = words.slice(at, at + wordsMax);
  const gap = near.findIndex((word, index) => {
    const previous = near[index - 1];
    if (previous === undefined) return false;
    const isBehindLetters = index === 1 && /^\p{L}+$/u.test(previous.text);
    return !isJoin(text.slice(previous.end, word.at), isBehindLetters);
  });
  return gap === -1 ? near : near.slice(0, gap);
}

/** Whether a gap can be inside of a number. Behind the letters of the country it can be wider: `DE: 999`, `(DE) 999`. */
function isJoin(gap: string, isBehindLetters: boolean): boolean {
  if (/^(?:[^\s;|]| {1,2}| [-\u2013] )$/u.test(gap)) return withoutSeparators(gap) === '';
  return isBehindLetters && /^[^\t;|\r\n]{1,3}$/.test(gap) && withoutSeparators(gap) === '';
}

function findLettered(text: string, near: readonly Word[]): Candidate | undefined {
  const [first] = near;
  const letters = first?.text.slice(0, 2) ?? '';
  if (first === undefined || !isCheckable(letters)) return undefined;
  const isDetached = /^\p{L}+$/u.test(first.text);
  // Words such as “Frau” and “de”, and articles, stand before digits of other kinds.
  if (isDetached && !/^(?:[A-Z]{2}|ATU|ES[A-Z]|XI(?:GD|HA))$/.test(first.text)) return undefined;
  return findFormed(text, near, letters);
}

/** A number behind the name of its country: `Österreich: U99999901`. */
function findNamed(text: string, [first, ...near]: readonly Word[]): Candidate | undefined {
  if (first === undefined || first.text.length < 4 || !/\d/.test(near[0]?.text ?? ''))
    return undefined;
  const country = readCountryName(first.text);
  const found = country === undefined ? undefined : findFormed(text, near, country);
  return found && { ...found, words: found.words + 1 };
}

function findLabelled(
  text: string,
  near: readonly Word[],
  { country, before }: { readonly country: string; readonly before: string },
): Candidate | undefined {
  if (country === '' || !/^(?:\p{L}{0,2}\d|[A-Z]{1,2}$)/u.test(near[0]?.text ?? ''))
    return undefined;
  if (!endsWithLabel(before, country)) return undefined;
  return findFormed(text, near, country);
}

/** Signs of a number that stands in a text: a shorter one is rather a house number or an amount. */
export const signsMin = 7;

/** The longest run of words that is a number of the country. */
function findFormed(text: string, near: readonly Word[], country: string): Candidate | undefined {
  const [first] = near;
  if (first === undefined) return undefined;
  const readUpTo = (count: number): Candidate | undefined => {
    const vatNumber = text.slice(first.at, near[count - 1]?.end);
    const isLong = (withoutSeparators(vatNumber)?.length ?? 0) >= signsMin;
    if (!isLong || !hasFormOf(vatNumber, country)) return undefined;
    if (isDate(vatNumber.replace(/^[A-Za-z]{2}/, ''))) return undefined;
    return { countryCode: country, vatNumber, words: count };
  };
  let longest: Candidate | undefined;
  for (let count = 1; count <= near.length; count += 1) {
    const read = readUpTo(count);
    if (read === undefined) continue;
    longest = read;
    const next = near[count];
    const isBlank = next !== undefined && /^\s+$/.test(text.slice(near[count - 1]?.end, next.at));
    // A word or an amount behind the whole number is no part of it: `IE 9999999WA a`, `CZ99999901 10`.
    if (isBlank && (/^\p{L}+$/u.test(next.text) || isWhole(near, count, read))) return read;
  }
  if (longest === undefined || longest.words === near.length) return longest;
  const isCut = /^\d/.test(near[longest.words]?.text ?? '');
  return isCut && !isWhole(near, longest.words, longest) ? undefined : longest;
}

/** Whether all digits of a number stand in its last word. */
function isWhole(near: readonly Word[], count: number, { vatNumber }: Candidate): boolean {
  const last = near[count - 1]?.text ?? '';
  return last.replaceAll(/\D/g, '') === vatNumber.replaceAll(/\D/g, '') && last.length >= signsMin;
}

/** A part that begins with the letters of a country in upper case and has as many signs as a number, but is none. */
function findFault(
  text: string,
  near: readonly Word[],
): (FoundFault & { readonly words: number }) | undefined {
  const [first] = near;
  if (first === undefined || !/^[A-Z]{2,3}(?:[0-9A-Z]*\d|$)/.test(first.text)) return undefined;
  const end = near.findIndex((word, at) => at > 0 && !/\d|^[A-Z]{1,2}$/.test(word.text));
  const run = end === -1 ? near : near.slice(0, end);
  const part = text.slice(first.at, run.at(-1)?.end);
  const signs = withoutSeparators(part) ?? '';
  if (signs.length < signsMin || !/^[A-Z]{2,3}\d|^[A-Z]{2}[A-Z]?\d{4}/.test(signs))
    return undefined;
  const isLettered =
    isCheckable(first.text.slice(0, 2)) && /^(?:[A-Z]{2}|ATU|ES[A-Z])(?:\d|$)/.test(first.text);
  const fault =
    nameOther(part) ?? explainOutside(signs) ?? (isLettered ? explainForm(part) : undefined);
  return fault === undefined ? undefined : { text: part, fault, words: run.length };
}
