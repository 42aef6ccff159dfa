import { parseCn, parseCpa } from '../../../src/rates/categories/read-codes.ts';
import type { CategoryRow } from '../wire.ts';
import table from './everyday-words.json' with { type: 'json' };
import { printCn } from './goods-words.ts';

/** A visitor's search: everything, a code, a category of TEDB, or words. */
export type Search =
  | { readonly kind: 'all' }
  /** Digits only; a CPA code may be the section `F`. With `otherwise`, the text can be a code of the other system as well. */
  | { readonly kind: 'cn'; readonly code: string }
  | { readonly kind: 'cpa'; readonly code: string; readonly otherwise?: string }
  /** TEDB's identifier, upper case. */
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  /** The sentence says what is wrong. */
  | { readonly kind: 'fault'; readonly fault: string };

/** A word of a visitor. */
export type Word = {
  readonly text: string;
  /** The beginning that a word of a description has. */
  readonly stem: string;
  /** Beginnings of words of the VAT Directive that an everyday word may stand for: `foodstuff` for “milk”. */
  readonly related: readonly string[];
};

const cnFault =
  'This is not a CN code. A CN code has 2, 4, 6, 8 or 10 digits, such as 4902 or 4901 10 00; spaces, dots and hyphens do not matter.';
const cpaFault = 'This is not a CPA code. Write it as CPA 55.10 or CPA 58.11.3.';

/**
 * Everyday words, and the beginnings of the words that TEDB has for them. TEDB's descriptions are sentences of the VAT
 * Directive, in which a visitor finds neither “bike” nor “medicine”.
 */
const everydayWords: Readonly<Record<string, string>> = table;

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
  if (system.toLowerCase() === 'cpa') return readCpa(code);
  // Two digits and a dot begin a CPA code: `55.10`. A heading of the CN has four digits before its dot.
  if (system === '' && /^\d{2}\.\d{1,2}(\.\d{1,2})?$/.test(code)) {
    const cn = parseCn(code);
    return { ...readCpa(code), ...(cn === undefined ? {} : { otherwise: `CN ${printCn(cn)}` }) };
  }
  if (system !== '' || /^(?:ex\s*)?[\d.]/i.test(code)) return readCn(code);
  // In lower case, “books” is a word: it is an identifier as well, but of one of several categories with books.
  if (/^[A-Z0-9_]{3,}$/.test(plain) && categories?.includes(plain) !== false) {
    return { kind: 'category', category: plain };
  }
  const words = splitWords(plain).filter((word) => word.length > 1 && !fillers.has(word));
  if (words.length === 0) return { kind: 'fault', fault: 'Write a longer word, or a CN code.' };
  return { kind: 'words', words: words.map(readWord) };
}

function readCpa(text: string): Search {
  const code = parseCpa(text);
  return code === undefined ? { kind: 'fault', fault: cpaFault } : { kind: 'cpa', code };
}

function readCn(text: string): Search {
  const code = parseCn(text);
  if (code !== undefined) return { kind: 'cn', code };
  const longer = text.length < 3 ? undefined : parseCn(`0${text}`);
  const advice =
    longer === undefined
      ? ''
      : ` A spreadsheet takes the first 0 of a code: did you mean ${printCn(longer)}?`;
  return { kind: 'fault', fault: cnFault + advice };
}

/** Things that have the words of a search. */
export type Matches<T> = {
  readonly found: readonly T[];
  /** `all`: each word stands in them; `related`: some stand only for words in them; `some`: they lack words. */
  readonly words: 'all' | 'related' | 'some';
  /** The words that no thing in `found` has. */
  readonly missing: readonly string[];
};

/** Finds the things whose text has all words, or otherwise most of them. “hotel night” finds hotels. */
export function findByWords<T>(
  things: readonly T[],
  words: readonly Word[],
  textOf: (thing: T) => string,
): Matches<T> {
  const judged = things.map((thing) => {
    const parts = splitWords(textOf(thing));
    const literal = words.filter(({ stem }) => parts.some((part) => part.startsWith(stem)));
    const related = words.filter(
      (word) =>
        !literal.includes(word) &&
        word.related.some((beginning) => parts.some((part) => part.startsWith(beginning))),
    );
    return { thing, literal, related, count: literal.length + related.length };
  });
  const most = Math.max(0, ...judged.map(({ count }) => count));
  const best = judged.filter(({ count }) => count === most && count > 0);
  // If the words themselves stand in some of them, those that only have related words are not meant.
  const isLiteral = most === words.length && best.some(({ related }) => related.length === 0);
  const found = isLiteral ? best.filter(({ related }) => related.length === 0) : best;
  const has = new Set(found.flatMap(({ literal, related }) => [...literal, ...related]));
  return {
    found: found.map(({ thing }) => thing),
    words: most < words.length ? 'some' : isLiteral ? 'all' : 'related',
    missing: words.filter((word) => !has.has(word)).map(({ text }) => text),
  };
}

/** The text of a category in which words are searched for. */
export function categoryText(of: Pick<CategoryRow, 'category' | 'description'>): string {
  return `${of.category} ${of.description}`;
}

function readWord(text: string): Word {
  const stem = stemOf(text);
  const related = everydayWords[text] ?? everydayWords[stem] ?? '';
  return { text, stem, related: related === '' ? [] : related.split(' ') };
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
