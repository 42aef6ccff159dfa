import {
  type CountryAndNumber,
  hasForm,
  parseVatNumber,
  readVatNumber,
  toRegistryCode,
  withoutSeparators,
} from '../../../src/vat-check/vat-number.ts';

/** A line of a pasted text that cannot be read as a VAT number. */
export type UnreadPart = {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The reason, as the end of a sentence. */
  readonly fault: string;
};

/** A number as it was written, without the letters of its country, and what its row says about it. */
export type FoundNumber = CountryAndNumber & {
  readonly name?: string;
  readonly reference?: string;
};

export type ReadNumbers = {
  /** Each number once. */
  readonly numbers: readonly FoundNumber[];
  /** Numbers that were left out because the text has them already. */
  readonly repeatedCount: number;
  readonly unread: readonly UnreadPart[];
  /** The number of each line that has one, repeated ones included. */
  readonly byLine: ReadonlyMap<number, CountryAndNumber>;
};

/** The number of a line or a cell, or the reason why it has none. */
export type ReadLine =
  | { readonly kind: 'number'; readonly number: CountryAndNumber }
  | { readonly kind: 'unread'; readonly fault: string };

const severalNumbers = 'it has more than one number: write each on a line of its own';

/**
 * Reads a pasted list or the text of an e-mail: each line has one number at most.
 *
 * A number with the letters of its country is found inside a line. Without letters, a cell counts if it has the form of
 * the chosen country or that of the country in the cell beside it, or if it stands alone on its line and can be a number.
 *
 * @param country - The country of numbers without letters; '' if they cannot be read.
 */
export function readNumbers(text: string, country: string): ReadNumbers {
  const lines = text.split(/\r\n|\r|\n/);
  const written = lines.filter((line) => line.trim() !== '');
  // Numbers between commas on the only line are a list as well.
  const cells = written.length === 1 ? splitCells(written[0] ?? '') : [];
  const isList = cells.length > 1 && cells.every((cell) => isNumber(cell, country));
  const parts = isList
    ? cells.map((cell) => [1, cell] as const)
    : lines.map((line, at) => [at + 1, line] as const);
  return collect(
    parts
      .filter(([, part]) => part.trim() !== '')
      .map(([line, part]) => ({ line, text: part.trim(), read: readLine(part, country) })),
  );
}

/** Numbers once each, and the parts without one. */
export function collect(
  parts: readonly {
    readonly line: number;
    readonly text: string;
    readonly read: ReadLine;
    readonly name?: string;
    readonly reference?: string;
  }[],
): ReadNumbers {
  const found = new Map<string, FoundNumber>();
  const unread: UnreadPart[] = [];
  const byLine = new Map<number, CountryAndNumber>();
  for (const { line, text, read, ...details } of parts) {
    if (read.kind === 'unread') unread.push({ line, text, fault: read.fault });
    else {
      const { countryCode, vatNumber } = read.number;
      const queried = parseVatNumber(countryCode, vatNumber);
      const key = `${queried?.registryCode}${queried?.number}`;
      const first = found.get(key) ?? { ...read.number, ...details };
      found.set(key, first);
      byLine.set(line, first);
    }
  }
  const repeatedCount = parts.length - unread.length - found.size;
  return { numbers: [...found.values()], repeatedCount, unread, byLine };
}

/** The number of a cell that is said to have one: it need not have its country's form, since the registry decides. */
export function readCell(cell: string, country: string): ReadLine {
  const isOdd = isOther(cell) || !/\d/.test(cell.normalize('NFKC'));
  const read = isOdd ? undefined : readVatNumber(cell, country);
  if (read === undefined) return unread(cell, country);
  // Without a 0 that was added: the service adds it again, so that the check has its hint (rule K3).
  const vatNumber = withoutAddedZeros(read.vatNumber, cell);
  return { kind: 'number', number: { ...read, vatNumber } };
}

function readLine(line: string, country: string): ReadLine {
  const cells = splitCells(line);
  if (isOneCell(line) && isNumber(line, country)) return readCell(line, country);
  const own = findLettered(line);
  if (own.length > 1) return { kind: 'unread', fault: severalNumbers };
  const [only] = own;
  if (only !== undefined) return readCell(only, '');
  const beside = cells.find(isCountry);
  const chosen = beside ?? country;
  const formed = cells.filter((cell) => cell !== beside && isNumber(cell, chosen));
  if (formed.length > 1) return { kind: 'unread', fault: severalNumbers };
  const [first] = formed;
  if (first !== undefined) return readCell(first, chosen);
  const [alone = '', ...others] = cells.filter((cell) => cell !== beside);
  if (others.length > 0 || !canBeNumber(alone)) return unread(line, chosen);
  return readCell(alone, chosen);
}

/** Whether a text is a number of the chosen country, or of the one whose letters it begins with, by its form. */
export function isNumber(text: string, country: string): boolean {
  if (isOther(text)) return false;
  const read = readVatNumber(text, country);
  const number = read && parseVatNumber(read.countryCode, read.vatNumber);
  return number !== undefined && hasForm(number);
}

/** Signs of a number that stands alone: a shorter one is rather a house number or an amount. */
const signsMin = 7;

/** A text that could be meant as a number, although it has not the form of a country: `DE 12345`, or `12345678` alone. */
function canBeNumber(text: string): boolean {
  const [, letters = '', rest = text] = /^\s*([A-Za-z]{2})(?![A-Za-z]{2})(.*)$/.exec(text) ?? [];
  const hasWords = /[A-Za-z]\s+\d|\d\s+[A-Za-z]|[A-Za-z]{4}/.test(rest);
  const isLong = (withoutSeparators(text)?.length ?? 0) >= signsMin;
  return (isLong || isCountry(letters)) && !hasWords;
}

/**
 * The numbers inside of a line that begin with the letters of their country and have its form: whole words, so that a number
 * that is too long is never cut.
 */
function findLettered(line: string): readonly string[] {
  const text = line.normalize('NFKC');
  const words = [...text.matchAll(/[\p{L}\p{N}+*]+/gu)];
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const longest = longestNumber(text, words.slice(at, at + 7));
    if (longest === undefined) continue;
    found.push(longest.written);
    at += longest.words - 1;
  }
  return found;
}

function longestNumber(
  text: string,
  words: readonly RegExpExecArray[],
): { readonly written: string; readonly words: number } | undefined {
  const [first] = words;
  if (first === undefined || !isCountry(first[0].slice(0, 2))) return undefined;
  const endOf = (word: RegExpExecArray): number => word.index + word[0].length;
  // Words that follow each other with no more than a blank and a sign between them.
  const gap = words.findIndex(
    (word, at) =>
      at > 0 &&
      !/^[\s.,\-\u2013/']{1,2}$/.test(text.slice(endOf(words[at - 1] ?? word), word.index)),
  );
  const near = gap === -1 ? words : words.slice(0, gap);
  for (let count = near.length; count > 0; count -= 1) {
    const last = near[count - 1] ?? first;
    const written = text.slice(first.index, endOf(last));
    const isSpaced = count > 1;
    const isCut = isSpaced && /^\d/.test(near[count]?.[0] ?? '');
    const isWord = isSpaced && /^[a-z]/.test(first[0]);
    const isLong = (withoutSeparators(written)?.length ?? 0) >= signsMin;
    if (isCut || isWord || !isLong || isDate(written.slice(2))) continue;
    if (isNumber(written, '')) return { written, words: count };
  }
  return undefined;
}

/** Whether a text is something else, whose digits could be those of a number. */
function isOther(text: string): boolean {
  return isDate(text) || isExponent(text) || isAmount(text);
}

/** An amount of money with cents: `1.234.567,89`. */
function isAmount(text: string): boolean {
  return /^[^\p{L}\d]*(?:\d+|\d{1,3}(?:[.,'\s]\d{3})+)[.,]\d{2}(?:[^\p{L}\d]*|\s*[A-Z]{3})$/u.test(
    text.trim(),
  );
}

function isDate(text: string): boolean {
  return /^\s*\d{1,4}([./-])\d{1,2}\1\d{1,4}\s*$/.test(text);
}

/** A number that a spreadsheet has shortened: `8,11115E+08`. */
function isExponent(text: string): boolean {
  return /^\s*\d+(?:[.,]\d+)?E[+-]?\d+\s*$/i.test(text);
}

function splitCells(line: string): readonly string[] {
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

/** Whether a text is the code of a country whose numbers can be checked. */
export function isCountry(text: string): boolean {
  return toRegistryCode(text) !== undefined || text.toUpperCase() === 'MC';
}

function withoutAddedZeros(number: string, text: string): string {
  const written = withoutSeparators(text) ?? '';
  return written.endsWith(number) ? number : withoutAddedZeros(number.slice(1), text);
}

/** The reason why a number of a country without a registry in VIES is not read. */
export function notInVies(country: string): string {
  return /^(?:GB|UK|United Kingdom|Great Britain)$/i.test(country)
    ? 'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI'
    : `its country “${country.slice(0, 40)}” is not in VIES`;
}

function unread(text: string, country: string): ReadLine {
  return { kind: 'unread', fault: explain(text, country) };
}

function explain(text: string, country: string): string {
  const plain = text.normalize('NFKC').trim();
  if (!/\d/.test(plain)) return 'it has no digit';
  if (isDate(plain)) return 'it is a date';
  if (isAmount(plain)) return 'it is an amount of money';
  if (isExponent(plain)) {
    return 'the spreadsheet has shortened the number: format its column as text';
  }
  const bare = withoutSeparators(plain) ?? '';
  if (/^(?:GB|UK)\d/.test(bare)) return notInVies('GB');
  if (bare.replaceAll(/\D/g, '').length > 12 && !/\p{L}{3}/u.test(plain)) {
    return 'it is longer than a VAT number, which has 2 to 12 letters and digits';
  }
  if (/\P{ASCII}/u.test(plain) && /^[\p{L}\p{N}]+$/u.test(plain)) {
    return 'a VAT number has 2 to 12 Latin letters and digits';
  }
  return country === ''
    ? 'the letters of its country are missing: write them in front, or choose the country'
    : `it is no number of ${country}, nor one with the letters of another country`;
}
