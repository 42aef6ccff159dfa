import type { Encoding } from '../../../src/vat-check/reading/encodings.ts';
import { readNumbers, type ReadNumbers } from '../../../src/vat-check/reading/read-numbers.ts';
import { readTable, type Table } from '../../../src/vat-check/reading/read-table.ts';

/** A text of a visitor, and how it is to be read. */
export type Written = {
  readonly text: string;
  /** The country of numbers without letters; '' for none. */
  readonly country: string;
  /** The text as a table, with columns that were guessed or chosen; undefined if it is none, or is said to be none. */
  readonly table?: Table | undefined;
  /** The encoding of the file that the text is; undefined for a pasted text. */
  readonly encoding?: Encoding | undefined;
};

/** The numbers of a text, as far as they can be read. */
export function readWritten({ text, country, table, encoding }: Written): ReadNumbers {
  return table === undefined
    ? readNumbers(text, country)
    : readTable(table, { chosen: country, encoding });
}
