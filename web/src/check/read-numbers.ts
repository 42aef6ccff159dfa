import {
  type CountryAndNumber,
  parseWrittenNumber,
  readVatNumber,
} from '../../../src/vat-check/vat-number.ts';
import { checkable } from '../countries.ts';

/** A part of a pasted list that cannot be read as a VAT number. */
export type UnreadPart = {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The reason, as the end of a sentence. */
  readonly fault: string;
};

export type ReadNumbers = {
  /** Each number once, as it was written, without the letters of its country. */
  readonly numbers: readonly CountryAndNumber[];
  /** Numbers that were left out because the list has them already. */
  readonly repeatedCount: number;
  readonly unread: readonly UnreadPart[];
};

type WrittenNumber = CountryAndNumber & {
  /** The same for all spellings of a number. */
  readonly key: string;
};

/**
 * Reads a pasted list: one number on a line, or several between commas, semicolons and tabs. The letters of a country
 * may be in front of a number or in the cell before it.
 *
 * @param country - The country of numbers without letters; '' if they cannot be read.
 */
export function readNumbers(text: string, country: string): ReadNumbers {
  const found = new Map<string, CountryAndNumber>();
  const unread: UnreadPart[] = [];
  let readCount = 0;
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    for (const { letters, written } of readCells(line)) {
      const number = readOne(written, letters === '' ? country : letters);
      if (number === undefined) {
        const shown = `${letters} ${written}`.trim();
        unread.push({ line: at + 1, text: shown, fault: explainUnread(written, country) });
        continue;
      }
      readCount += 1;
      const { key, countryCode, vatNumber } = number;
      if (!found.has(key)) found.set(key, { countryCode, vatNumber });
    }
  }
  return { numbers: [...found.values()], repeatedCount: readCount - found.size, unread };
}

/** Whether a text is CSV with a heading that the service reads (rule K12). */
export function isCsv(text: string): boolean {
  const [heading = ''] = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const columns = splitCells(heading);
  return columns.includes('countryCode') && columns.includes('vatNumber');
}

function splitCells(line: string): readonly string[] {
  return line.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
}

/** The cells of a line that are not empty; the letters of a country are joined with the cell after them. */
function readCells(
  line: string,
): readonly { readonly letters: string; readonly written: string }[] {
  const cells = splitCells(line).filter((cell) => cell !== '');
  const parts: { letters: string; written: string }[] = [];
  let letters = '';
  for (const [at, cell] of cells.entries()) {
    if (letters === '' && isCountry(cell) && at < cells.length - 1) {
      letters = cell;
      continue;
    }
    parts.push({ letters, written: cell });
    letters = '';
  }
  return parts;
}

function isCountry(text: string): boolean {
  const code = text.toUpperCase();
  return code === 'EL' || Object.hasOwn(checkable, code);
}

function readOne(text: string, country: string): WrittenNumber | undefined {
  if (!/\d/.test(text.normalize('NFKC'))) return undefined;
  const read = readVatNumber(text, country);
  if (read !== undefined) return toWritten(read.countryCode, text);
  // A number whose letters are clear, although it has not the form of its country: the registry decides.
  const [, letters = '', rest = ''] = /^\s*([A-Za-z]{2})(.+)$/.exec(text.normalize('NFKC')) ?? [];
  return country === '' && isCountry(letters) ? toWritten(letters.toUpperCase(), rest) : undefined;
}

/** The number without its letters, but without a 0 that was added, so that the check has its hint (rule K3). */
function toWritten(countryCode: string, text: string): WrittenNumber | undefined {
  const read = parseWrittenNumber(countryCode, text);
  if (read === undefined) return undefined;
  const { registryCode, number } = read.vatNumber;
  return {
    key: `${registryCode}${number}`,
    countryCode: registryCode === 'EL' ? 'GR' : registryCode,
    vatNumber: read.remark === 'leading 0 added' ? number.slice(1) : number,
  };
}

function explainUnread(written: string, country: string): string {
  const plain = written.normalize('NFKC');
  if (!/\d/.test(plain)) return 'it has no digit';
  const bare = plain.replaceAll(/[\s./\-‐]/g, '');
  if (!/^[0-9A-Za-z+*]{2,14}$/.test(bare)) {
    return 'a VAT number has 2 to 12 Latin letters and digits';
  }
  return country === ''
    ? 'the letters of its country are missing: write them in front, or choose the country'
    : 'a VAT number has 2 to 12 Latin letters and digits';
}
