import { type CountryAndNumber, parseVatNumber } from '../numbers/vat-number.ts';
import { isNumber, readLine, type ReadPart, splitCells } from './read-line.ts';

/** A part of a text that cannot be read as a VAT number. */
export type UnreadPart = {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The reason, as the end of a sentence. */
  readonly fault: string;
};

/** A number as it was written, without the letters of its country, and what its row says about it. */
export type FoundRow = CountryAndNumber & {
  readonly trader?: Readonly<Record<string, string>>;
  readonly reference?: string;
};

export type ReadNumbers = {
  /** Each number once. */
  readonly numbers: readonly FoundRow[];
  /** Numbers that were left out because the text has them already. */
  readonly repeatedCount: number;
  readonly unread: readonly UnreadPart[];
  /** The number of each line of a table that has one, repeated ones included. */
  readonly byLine: ReadonlyMap<number, CountryAndNumber>;
};

/** Reads a pasted list or the text of an e-mail, line by line. `country` is that of numbers without letters; '' for none. */
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
      .flatMap(([line, part]) => readLine(part.trim(), country).map((read) => ({ line, read }))),
  );
}

/** Numbers once each, and the parts without one. */
export function collect(
  parts: readonly {
    readonly line: number;
    readonly read: ReadPart;
    readonly trader?: Readonly<Record<string, string>>;
    readonly reference?: string;
  }[],
): ReadNumbers {
  const found = new Map<string, FoundRow>();
  const unread: UnreadPart[] = [];
  const byLine = new Map<number, CountryAndNumber>();
  for (const { line, read, ...details } of parts) {
    if (read.kind === 'unread') unread.push({ line, text: read.text, fault: read.fault });
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
