import type { ReceiverHeaders } from '../subscriptions/receiver-headers.ts';

/** Letters of a value that are hidden wherever they stand together; of a shorter value all. */
const pieceLetters = 8;
/** Characters behind a cut that a piece may have: eight letters, each spelled like `\u002f`. */
export const pieceMax = pieceLetters * 6;

/**
 * The first `length` characters of a text, in which `***` replaces what is secret: signing secrets, and any eight letters of
 * the value of a header that was sent, in whatever letter case and as JSON, URLs and HTML spell them.
 *
 * Pieces are looked up, and not whole values: a receiver may leave out the scheme before a token, or cut it. That took at most
 * 5 ms of CPU for three values of 4,096 characters; a regular expression of all values and their spellings took 80 ms.
 */
export function hideValues(text: string, length: number, sent: ReceiverHeaders): string {
  // A piece may begin before the cut and end behind it.
  const read = text.slice(0, length + pieceMax);
  const { letters, places } = readLetters(read);
  const pieces = listPieces(sent.map(([, value]) => value));
  const sizes = new Set([...pieces].map((piece) => piece.length));
  const isHidden = new Uint8Array(read.length);
  for (let at = 0; at < letters.length; at += 1) {
    for (const size of sizes) {
      const piece = letters.slice(at, at + size);
      if (!pieces.has(piece)) continue;
      // A blank before or behind a value is none of it.
      const from = at + piece.length - piece.trimStart().length;
      isHidden.fill(1, places[from], places[at + piece.trimEnd().length]);
    }
  }
  for (const { 0: secret, index } of read.matchAll(/whsec_[\w+/=\\-]+/gi)) {
    isHidden.fill(1, index, index + secret.length);
  }
  let hidden = '';
  for (let at = 0; at < length; at += 1) {
    if (isHidden[at] !== 1) hidden += text[at];
    else if (at === 0 || isHidden[at - 1] !== 1) hidden += '***';
  }
  // A value that spells half of a surrogate pair may have hidden one.
  return hidden.toWellFormed();
}

function listPieces(values: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  // A value may look as if it had spellings itself.
  const spelled = values.flatMap((value) => [fold(value), readLetters(value).letters]);
  for (const value of new Set(spelled)) {
    const last = Math.max(0, value.length - pieceLetters);
    for (let at = 0; at <= last; at += 1) pieces.add(value.slice(at, at + pieceLetters));
  }
  return pieces;
}

const spelling = /%[\da-f]{2}|\\u[\da-f]{4}|\\[^]|&(?:#\d{2,3}|#x[\da-f]{2}|[a-z]{2,4});/gi;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** The letters that a text spells, and the place of each in it; the last place is the end of the text. */
function readLetters(text: string): { readonly letters: string; readonly places: number[] } {
  let letters = '';
  const places: number[] = [];
  let from = 0;
  const addUntil = (to: number): void => {
    letters += text.slice(from, to);
    for (; from < to; from += 1) places.push(from);
  };
  for (const { 0: spelled, index } of text.matchAll(spelling)) {
    addUntil(index);
    letters += letterOf(spelled);
    places.push(index);
    from = index + spelled.length;
  }
  addUntil(text.length);
  return { letters: fold(letters), places: [...places, text.length] };
}

function letterOf(spelled: string): string {
  if (spelled.length === 2) return spelled.slice(1);
  const decimal = /^&#(\d+)/.exec(spelled)?.[1];
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  const hex = /^(?:%|\\u|&#x)([\da-f]+)/i.exec(spelled)?.[1];
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return named[spelled.slice(1, -1).toLowerCase()] ?? '?';
}

/** Lower case, letter by letter; forms write a blank as a plus. */
function fold(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('+', ' ');
}
