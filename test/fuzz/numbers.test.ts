import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/platform/http/responses/api-errors.ts';
import {
  readCheckedNumber,
  readTerms,
  noDefaults,
} from '../../src/vat-check/stored/requests/check-request.ts';
import { splitCsvBatch } from '../../src/vat-check/stored/batches/batch-csv.ts';
import { readNumbers } from '../../src/vat-check/reading/read-numbers.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';

/** A full run takes minutes. */
const timeout = countOf({ full: 1_800_000, perCommit: 60_000 });
const runs = countOf({ full: 50_000, perCommit: 1_500 });
const seed = seedOf(20_261_126);
const words = ['DE999999901', 'EL 999 999 901', '999999901', 'ATU99999901', 'n/a', 'x', '1'];
const signs = ['USt-IdNr.: ', '• ', ' GmbH', ', ', ';', '\t', ' ', '-', '.', 'DE', '="', '"'];
const piece = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...signs),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const lines = fc.array(fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join('')));
const country = fc.constantFrom('', 'DE', 'FR', 'RO');
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^0-9A-Z+*]/g, '');

describe('a reader of numbers (rules K17, K19, reliability R40)', () => {
  it(
    'reads no number that is not in its line, and says something about each line',
    { timeout },
    () => {
      let read = 0;
      fc.assert(
        fc.property(lines, country, (written, chosen) => {
          // A single line between commas is a list.
          const text = ['x', ...written].join('\n');
          const lines = text.split(/\r\n|\r|\n/);

          const { numbers, unread, byLine } = readNumbers(text, chosen);

          read += numbers.length;
          const filled = [...lines.keys()].filter((at) => lines[at]?.trim() !== '');
          const named = new Set([...byLine.keys(), ...unread.map(({ line }) => line)]);
          expect(filled.filter((at) => !named.has(at + 1))).toEqual([]);
          const known = lines.map(bare);
          const others = numbers.filter(
            ({ vatNumber }) => !known.some((l) => l.includes(vatNumber)),
          );
          expect(others).toEqual([]);
        }),
        { numRuns: runs, seed },
      );

      reportFigure(
        'R40',
        `${runs} texts (seed ${seed}): ${read} numbers read, 0 exceptions, 0 numbers that are not in their line, 0 lines without a number or a reason`,
      );
    },
  );

  it('reads at most one number of a row of a CSV file, or refuses the row', { timeout }, () => {
    let [read, refused] = [0, 0];
    fc.assert(
      fc.property(lines, country, (written, chosen) => {
        const rows = written.map((line) => `"${line.replaceAll('"', '""')}",${chosen}`);
        const file = Buffer.from(`vatNumber,countryCode\r\n${rows.join('\r\n')}`);

        const numbers = readFile(file);
        const found = numbers.filter((number) => number !== undefined);
        read += found.length;
        refused += numbers.length - found.length;
        const known = written.map(bare);
        expect(found.filter((number) => !known.some((line) => line.includes(number)))).toEqual([]);
      }),
      { numRuns: runs, seed },
    );

    reportFigure(
      'R40',
      `${runs} files (seed ${seed}): ${read} numbers read, ${refused} rows refused, 0 exceptions, 0 numbers that are not in their row`,
    );
    expect(Math.min(read, refused)).toBeGreaterThan(100);
  });
});

/** The number of each row without the zeros that were added; undefined for a row that is refused. */
function readFile(file: Uint8Array): (string | undefined)[] {
  return (
    refusing(() => {
      const split = splitCsvBatch(file, undefined);
      if (split.kind === 'tooMany') return [undefined];
      return Array.from({ length: split.count }, (_, at) =>
        refusing(() => {
          const { fields, nameOf } = split.writtenAt(at);
          const { terms } = readTerms(fields, noDefaults, nameOf);
          return readCheckedNumber(terms, noDefaults)?.vatNumber.number.replace(/^0+/, '');
        }),
      );
    }) ?? [undefined]
  );
}

/** Undefined for the errors that callers get. */
function refusing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
