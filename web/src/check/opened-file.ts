import { decodeFile } from '../../../src/vat-check/reading/decode-file.ts';
import { decode, type Encoding } from '../../../src/vat-check/reading/encodings.ts';
import { nameFileKind } from '../../../src/vat-check/reading/file-kinds.ts';

/** A file that a visitor has opened, as a text. */
export type OpenedFile = {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the encoding was guessed, because nothing says which one it is (rule K12). */
  readonly isGuess: boolean;
};

/** What a file is if it is no text, as the end of a sentence; undefined for a text. */
export const kindOfFile = nameFileKind;

/** Reads a file in its encoding, or in the chosen one. A file of which nothing is known is read as Windows-1252. */
export function openFile(bytes: Uint8Array, chosen?: Encoding): OpenedFile {
  const { text, encoding } = decodeFile(bytes, chosen);
  if (encoding !== undefined) return { bytes, text, encoding, isGuess: false };
  const guess = 'windows-1252';
  return { bytes, text: decode(bytes, guess), encoding: guess, isGuess: true };
}

/** Up to five words of a file with letters beyond ASCII, which show whether its encoding is right. */
export function wordsBeyondAscii(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}]*[^\0-\x7F][\p{L}\p{N}]*/gu) ?? [];
  return [...new Set(words)].slice(0, 5);
}
