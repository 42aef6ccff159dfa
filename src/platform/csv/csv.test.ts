import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../test/support/parse-csv.ts';
import { printCsv } from './csv.ts';

const lineOf = (...cells: readonly (string | null)[]): string =>
  printCsv({ columns: ['x'], rows: [cells] }).slice('x\r\n'.length);

/** Texts with many of the characters that matter. */
const anyCell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '\n', "'", '=', '-', '1', '.', ' ', 'ß'),
  }),
);
const anyTable = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(anyCell, { minLength: width, maxLength: width }), { minLength: 1 }),
  );

describe('printCsv (contract C36)', () => {
  it.each([
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'a"b', '"a""b"'],
    ['a line feed', 'a\nb', '"a\nb"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
  ])('puts a cell with %s in quotes', (_what, cell, printed) => {
    expect(lineOf(cell, 'x')).toBe(`${printed},x\r\n`);
  });

  // Each shape with each sign, beside texts in which the same characters are harmless.
  const signs = '= + - @ ＝ ＋ － ＠ ﹦ ﹢ ﹣ ﹫'.split(' ');
  const hiding = [
    '',
    ' ',
    '\u{a0}',
    '\u{3000}',
    '\u{200b}\u{feff}',
    '\u{ad}',
    '\u{0}',
    '\u{2060} ',
    '\u{3164}',
  ];
  it.each([
    ['at the beginning', (text: string) => [text, `'${text}`]],
    ['behind a semicolon', (text: string) => [`x;${text}`, `x;'${text}`]],
    ['behind a tab', (text: string) => [`x\t${text}`, `x\t'${text}`]],
    ['behind both', (text: string) => [`x;\t${text}`, `x;\t'${text}`]],
    ['several times', (text: string) => [`${text};${text}`, `'${text};'${text}`]],
    ['behind a tab that is the first character', (text: string) => [`\t${text}`, `'\t'${text}`]],
  ] as const)('puts an apostrophe before a formula and what hides it: %s', (_, write) => {
    for (const sign of signs) {
      for (const hidden of hiding) {
        const [cell = '', printed] = write(`${hidden}${sign}A1`);
        expect(parseCsv(lineOf(cell, 'x'))).toEqual([[printed, 'x']]);
      }
    }
  });

  it.each([
    ['=', `'=`],
    ['-', `'-`],
    ['+1', `'+1`],
    [' -1', `' -1`],
    ['-1e3', `'-1e3`],
    ['-1-1', `'-1-1`],
    ['-1;2', `'-1;2`],
    ['"=1', `'"=1`],
    ['x;"=1', `x;'"=1`],
    ['x;-1-1', `x;'-1-1`],
    ['+49 30', `'+49 30`],
  ])('prints %j as %j', (cell, printed) => {
    expect(parseCsv(lineOf(cell, 'x'))).toEqual([[printed, 'x']]);
  });

  it.each([
    '-1',
    '-0.5',
    '0.100000000000000005',
    '2026-11-20',
    'reduced[0]',
    "'x",
    'a=b',
    'a;b=c',
    'a;-1',
    'a;-1.5;b',
  ])('prints %s as it is', (cell) => {
    expect(lineOf(cell, 'x')).toBe(`${cell},x\r\n`);
  });

  it('prints a row of one empty cell as quotes, because readers skip empty lines', () => {
    expect(lineOf('')).toBe('""\r\n');
    expect(lineOf(null)).toBe('""\r\n');
  });

  it('is read back by a parser with the same cells, save for the apostrophes', () => {
    const bare = (rows: readonly (readonly string[])[]) =>
      rows.map((row) => row.map((cell) => cell.replaceAll("'", '')));

    fc.assert(
      fc.property(anyTable, ([columns = [], ...rows]) => {
        expect(bare(parseCsv(printCsv({ columns, rows })))).toEqual(bare([columns, ...rows]));
      }),
    );
  });

  it.each([
    ['commas', /$^/],
    ['semicolons or tabs', /[;\t]/],
  ])(
    'has no cell that begins like a formula and is no number for a reader of %s',
    (_, separator) => {
      fc.assert(
        fc.property(anyTable, ([columns = [], ...rows]) => {
          const cells = parseCsv(printCsv({ columns, rows })).flat();
          const parts = cells.flatMap((cell) => cell.split(separator)).map((part) => part.trim());
          const formulas = parts.filter((part) => part !== '' && '=+-@'.includes(part.charAt(0)));

          expect(formulas.filter((part) => !isDecimal(part))).toEqual([]);
        }),
      );
    },
  );
});

function isDecimal(text: string): boolean {
  const [whole = '', fraction = '0', more] = text.replace('-', '').split('.');
  const isDigits = (part: string): boolean =>
    part !== '' && part.split('').every((char) => '0123456789'.includes(char));
  return more === undefined && text.lastIndexOf('-') <= 0 && isDigits(whole) && isDigits(fraction);
}
