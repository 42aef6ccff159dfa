import { decode, type Encoding, findBroken } from './encodings.ts';
import { readCsv } from './read-csv.ts';

/** The text of a file. */
export type DecodedFile = {
  readonly text: string;
  /** Undefined if nothing is known: characters beyond ASCII are then no more than marks of bytes. */
  readonly encoding: Encoding | undefined;
};

/**
 * Finds out the encoding of a file, and decodes it (rule K12): that of its byte order mark; else the declared one; else UTF-8 for
 * ASCII alone, and if at least one cell beyond ASCII is right and at most one, or one in a hundred, is broken.
 */
export function decodeFile(bytes: Uint8Array, declared: Encoding | undefined): DecodedFile {
  const told = encodingOfMark(bytes) ?? declared;
  if (told !== undefined) return { text: decode(bytes, told), encoding: told };
  const text = decode(bytes, 'utf-8');
  return { text, encoding: isUtf8(text) ? 'utf-8' : undefined };
}

function encodingOfMark([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? 'utf-16' : undefined;
}

const beyondAscii = /[^\0-\x7F]/;

/** Whether a text that was decoded as UTF-8 was that. */
function isUtf8(text: string): boolean {
  if (!beyondAscii.test(text)) return true;
  if (!text.includes('\uFFFD')) return true;
  const csv = readCsv(text);
  if (csv.kind !== 'table') return false;
  const cells = [csv.columns, ...csv.rows].flatMap((row) =>
    row.cells.filter((cell) => beyondAscii.test(cell)),
  );
  const brokenCount = cells.filter((cell) => findBroken([cell]) !== -1).length;
  return brokenCount < cells.length && brokenCount <= Math.max(1, cells.length / 100);
}

/** The place of the first cell with a character beyond ASCII; -1 for none. */
export function findBeyondAscii(cells: readonly string[]): number {
  return cells.findIndex((cell) => beyondAscii.test(cell));
}
