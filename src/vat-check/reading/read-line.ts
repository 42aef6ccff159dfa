import { type CountryAndNumber, readVatNumber, withoutSeparators } from '../numbers/vat-number.ts';
import { isCheckable, readCountryName } from './country-names.ts';
import { explain } from './explain.ts';
import { findNumbers, hasFormOf, signsMin } from './find-numbers.ts';
import { nameOther } from './other-texts.ts';

/** A number of a text, or a part of it without one and the reason, as the end of a sentence. */
export type ReadPart =
  | { readonly kind: 'number'; readonly number: CountryAndNumber }
  | { readonly kind: 'unread'; readonly text: string; readonly fault: string };

/**
 * Reads a line of a pasted list or of an e-mail: all numbers of a running sentence, and the parts that look like one.
 *
 * A number with the letters of its country is found inside a line, and so is one behind a label of the chosen country. Without
 * both, a cell counts if it has the form of the chosen country or of the one in the cell beside it, or if it stands alone on its
 * line and can be a number: it need not have its country's form, since the registry decides.
 *
 * @param country - The country of numbers without letters; '' if they cannot be read.
 */
export function readLine(line: string, country: string): readonly ReadPart[] {
  if (isOneCell(line) && isNumber(line, country)) return [toNumber(line, country)];
  const { numbers, faults } = findNumbers(line, country);
  if (numbers.length > 0) {
    return [
      ...numbers.map(({ vatNumber, countryCode }) => toNumber(vatNumber, countryCode)),
      ...faults.map((fault) => ({ kind: 'unread' as const, ...fault })),
    ];
  }
  const cells = splitCells(line);
  const beside = cells.find((cell) => readCountryName(cell) !== undefined);
  const chosen = beside === undefined ? country : (readCountryName(beside) ?? '');
  const others = cells.filter((cell) => cell !== beside);
  const formed = others.filter((cell) => isNumber(cell, chosen));
  if (formed.length === 1 || (formed.length > 1 && formed.length === others.length)) {
    return formed.map((cell) => toNumber(cell, chosen));
  }
  if (formed.length > 1) return [unread(line, severalNumbers)];
  const [alone = ''] = others;
  if (others.length === 1 && canBeNumber(alone) && readAlone(alone, chosen) !== undefined) {
    return [toNumber(alone, chosen)];
  }
  if (faults.length > 0) return faults.map((fault) => ({ kind: 'unread', ...fault }));
  const words = chosen === '' ? [] : wordsOfForm(line, chosen);
  return [
    unread(
      line,
      words.length > 0 && nameOther(line) === undefined
        ? `the words before ${words[0]} may mean another number: write the letters of its country in front`
        : explain(line, chosen, false),
    ),
  ];
}

export const severalNumbers = 'it has more than one number: write each on a line of its own';

/** Whether a text is a number of the chosen country, or of the one whose letters it begins with, by its form. */
export function isNumber(text: string, country: string): boolean {
  if (nameOther(text) !== undefined) return false;
  const read = readVatNumber(text, country);
  return read !== undefined && hasFormOf(read.vatNumber, read.countryCode);
}

/** A text that could be meant as a number, although it has not the form of a country: `DE 12345`, or `12345678` alone. */
export function canBeNumber(text: string): boolean {
  const [, letters = '', rest = text] = /^\s*([A-Za-z]{2})(?![A-Za-z]{2})(.*)$/.exec(text) ?? [];
  const hasWords = /[A-Za-z]\s+\d|\d\s+[A-Za-z]|[A-Za-z]{4}/.test(rest);
  const isLong = (withoutSeparators(text)?.length ?? 0) >= signsMin;
  return (isLong || isCheckable(letters)) && !hasWords;
}

function readAlone(text: string, country: string): CountryAndNumber | undefined {
  if (nameOther(text) !== undefined || !/\d/.test(text.normalize('NFKC'))) return undefined;
  return readVatNumber(text, country);
}

/** A number without a 0 that was added: the service adds it again, so that the check has its hint (rule K3). */
function toNumber(text: string, country: string): ReadPart {
  const read = readVatNumber(text, country);
  if (read === undefined) return unread(text, explain(text, country, false));
  return {
    kind: 'number',
    number: { ...read, vatNumber: withoutAddedZeros(read.vatNumber, text) },
  };
}

export function withoutAddedZeros(number: string, text: string): string {
  const written = withoutSeparators(text) ?? '';
  return written.includes(number) || !number.startsWith('0')
    ? number
    : withoutAddedZeros(number.slice(1), text);
}

function unread(text: string, fault: string): ReadPart {
  return { kind: 'unread', text, fault };
}

/** The words of a line that are by themselves numbers of the chosen country. */
function wordsOfForm(line: string, country: string): readonly string[] {
  return (line.normalize('NFKC').match(/[\p{L}\p{N}+*.-]+/gu) ?? []).filter(
    (word) => /\d/.test(word) && word.length >= signsMin && hasFormOf(word, country),
  );
}

export function splitCells(line: string): readonly string[] {
  const csv = line.split(/[,;\t|]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
  return csv.filter((cell) => cell !== '');
}

/** Commas separate cells as well, unless they group the digits behind the letters of a country: `DE 300,016,808`. */
function isOneCell(line: string): boolean {
  return /^\s*[A-Za-z]{2}/.test(line) ? !/[;\t|]/.test(line.trim()) : splitCells(line).length === 1;
}
