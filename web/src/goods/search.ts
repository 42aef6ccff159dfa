import type { CategoryRow } from '../wire.ts';

/** A visitor's search: everything, a code, a category of TEDB, or words. */
export type Search =
  | { readonly kind: 'all' }
  /** Digits only. */
  | { readonly kind: 'cn'; readonly code: string }
  | { readonly kind: 'cpa'; readonly code: string }
  /** TEDB's identifier, upper case. */
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  /** The sentence says what is wrong. */
  | { readonly kind: 'fault'; readonly fault: string };

/** The beginnings of words that mean the same; one of them has to be in the text. */
type Word = readonly string[];

const cnFault =
  'This is not a CN code. A CN code has 2 to 10 digits, such as 4902 or 4901 10 00; spaces and dots do not matter.';
const cpaFault = 'This is not a CPA code. Write it as CPA 55.10 or CPA 58.11.3.';

/**
 * Everyday words, and the words that TEDB has for them. TEDB's descriptions are sentences of the VAT Directive, in
 * which a visitor finds neither “bike” nor “medicine”.
 */
const otherWords: Readonly<Record<string, Word>> = {
  bike: ['bicycle'],
  ebike: ['bicycle'],
  ebook: ['book'],
  magazine: ['periodical'],
  journal: ['periodical'],
  medicine: ['pharmaceutical'],
  drug: ['pharmaceutical'],
  food: ['foodstuff'],
  drink: ['beverage'],
  meal: ['restaurant'],
  hairdresser: ['hairdress'],
  haircut: ['hairdress'],
  hotel: ['accommodation'],
  holiday: ['accommodation'],
  camping: ['accommodation'],
  taxi: ['transport'],
  train: ['transport'],
  bus: ['transport'],
  flower: ['floricultural'],
  firewood: ['wood'],
  funeral: ['undertaker'],
  painting: ['picture'],
  gym: ['sport'],
};

/** Words that every description has. */
const fillers: ReadonlySet<string> = new Set(['an', 'and', 'for', 'in', 'of', 'on', 'or', 'the']);

/**
 * Reads what a visitor wrote.
 *
 * @param categories - The known identifiers. While they are not known, a text in their form is one.
 */
export function readSearch(text: string, categories: readonly string[] | undefined): Search {
  const plain = text.trim();
  if (plain === '') return { kind: 'all' };
  const [, system = '', code = plain] = /^(cn|hs|cpa)\s*:?\s+(.*)$/i.exec(plain) ?? [];
  if (system.toLowerCase() === 'cpa') {
    return /^\d{2}(\.\d{1,2}(\.\d{1,2})?)?$/.test(code)
      ? { kind: 'cpa', code }
      : { kind: 'fault', fault: cpaFault };
  }
  if (system !== '' || /^[\d.]/.test(code)) {
    const digits = code.replaceAll(/[\s.]/g, '');
    return /^\d{2,10}$/.test(digits)
      ? { kind: 'cn', code: digits }
      : { kind: 'fault', fault: cnFault };
  }
  // In lower case, “books” is a word: it is an identifier as well, but of one of several categories with books.
  if (/^[A-Z0-9_]{3,}$/.test(plain) && categories?.includes(plain) !== false) {
    return { kind: 'category', category: plain };
  }
  const words = splitWords(plain).filter((word) => word.length > 1 && !fillers.has(word));
  if (words.length === 0) return { kind: 'fault', fault: 'Write a longer word, or a CN code.' };
  return { kind: 'words', words: words.map(readWord) };
}

/** Things that have the words of a search. */
export type Matches<T> = {
  readonly found: readonly T[];
  /** True if nothing has all words: then `found` are those with most of them. */
  readonly isPartial: boolean;
};

/** Finds the things whose text has all words, or otherwise most of them. “hotel night” finds hotels. */
export function findByWords<T>(
  things: readonly T[],
  words: readonly Word[],
  textOf: (thing: T) => string,
): Matches<T> {
  const counted = things.map((thing) => ({ thing, count: countWords(textOf(thing), words) }));
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return {
    found: counted.filter(({ count }) => count === most && count > 0).map(({ thing }) => thing),
    isPartial: most < words.length,
  };
}

/** The text of a category in which words are searched for. */
export function categoryText(of: Pick<CategoryRow, 'category' | 'description'>): string {
  return `${of.category} ${of.description}`;
}

function countWords(text: string, words: readonly Word[]): number {
  const parts = splitWords(text);
  return words.filter((word) =>
    word.some((beginning) => parts.some((part) => part.startsWith(beginning))),
  ).length;
}

function readWord(word: string): Word {
  const stem = stemOf(word);
  return [stem, ...(otherWords[stem] ?? otherWords[word] ?? [])];
}

/** The beginning that the singular and the plural share: `librar` of “library” and “libraries”. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/(?<=.{4})ing$|(?:ies|y|s)$/, '');
}

/** Lower case, without accents, and split at everything else but letters and digits. “e-book” is “ebook”. */
function splitWords(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\be-(?=[a-z])/g, 'e');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
