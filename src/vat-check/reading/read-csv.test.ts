import { describe, expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

const read = (text: string, rowsMax = 100) => readCsv(text, { rowsMax });
const table = (columns: readonly string[], ...rows: [number, ...string[]][]) => ({
  kind: 'table',
  columns: { line: 1, cells: columns },
  rows: rows.map(([line, ...cells]) => ({ line, cells })),
});

describe('readCsv (rule K12)', () => {
  it.each([
    ['CRLF', 'a,b\r\nc,d\r\n', table(['a', 'b'], [2, 'c', 'd'])],
    ['LF', 'a,b\nc,d\n', table(['a', 'b'], [2, 'c', 'd'])],
    ['CR', 'a,b\rc,d\r', table(['a', 'b'], [2, 'c', 'd'])],
    ['no end of the last line', 'a,b\nc,', table(['a', 'b'], [2, 'c', ''])],
    ['a Ctrl-Z at the end', 'a,b\nc,d\n\u001A', table(['a', 'b'], [2, 'c', 'd'])],
    ['a byte order mark before a quote', '\uFEFF"a",b', table(['a', 'b'])],
    ['semicolons', 'a;b\nc,d;e\n', table(['a', 'b'], [2, 'c,d', 'e'])],
    ['tabs', 'a\tb\nc,d\te\n', table(['a', 'b'], [2, 'c,d', 'e'])],
    ['pipes', 'a|b\nc|d\n', table(['a', 'b'], [2, 'c', 'd'])],
    [
      'the sign of which the heading has most',
      'a, x;b;c\n1;2;3',
      table(['a, x', 'b', 'c'], [2, '1', '2', '3']),
    ],
    ['a semicolon in a quoted heading', '"a;b",c\n1,2', table(['a;b', 'c'], [2, '1', '2'])],
    ['one column', 'a\nb;c\n', table(['a'], [2, 'b;c'])],
    ['quotes', 'a,b\n"c,d","e""f"\n', table(['a', 'b'], [2, 'c,d', 'e"f'])],
    ['blanks around quotes', 'a,b\n "c,d" , "e"\n', table(['a', 'b'], [2, 'c,d', 'e'])],
    [
      'quotes inside of a cell',
      'a,b\nHotel "Adler",d\n',
      table(['a', 'b'], [2, 'Hotel "Adler"', 'd']),
    ],
    [
      'line breaks and tabs in quotes',
      'a,b\r\n"c\r\n\nd\te",f\r\ng,h\r\n',
      table(['a', 'b'], [2, 'c d e', 'f'], [5, 'g', 'h']),
    ],
    ['empty lines', 'a,b\n\n\r\nc,d\n\n', table(['a', 'b'], [4, 'c', 'd'])],
    ['blanks', 'a, b\n c ,d\u00A0\n', table(['a', 'b'], [2, 'c', 'd'])],
    ['formulas that keep zeros', 'a,b\n="01","=""02"""\n', table(['a', 'b'], [2, '01', '02'])],
    ['other formulas as texts', 'a\n=1+1\n', table(['a'], [2, '=1+1'])],
    ['rows of separators', 'a,b\n,\n,,,\r\n\n,c\n,', table(['a', 'b'], [5, '', 'c'])],
    ['a row with fewer cells', 'a,b,c\n1\n', table(['a', 'b', 'c'], [2, '1', '', ''])],
    [
      'a row with more cells as one too many',
      'a,b\n1,2,3,4\n5,6\n',
      table(['a', 'b'], [2, '1', '2', '3'], [3, '5', '6']),
    ],
    ['headings alone', 'a,b', table(['a', 'b'])],
    ['nothing', '', table([])],
    ['a byte order mark alone', '\uFEFF', table([])],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  it('obeys a first line that names the separator', () => {
    expect(read('sep=;\r\na,b;c\n1;2')).toMatchObject({
      columns: { line: 2, cells: ['a,b', 'c'] },
      rows: [{ line: 3, cells: ['1', '2'] }],
    });
  });

  it.each([
    ['a,b\nc,"d\n\ne', 2],
    ['a,b\r\n"1\r\n",2\r\nc,"d""\n', 4],
    ['a,b\nc,"', 2],
    ['"', 1],
  ])('names the line of a quote that never closes: %j', (text, line) => {
    const problem = 'a quoted cell without an end';

    expect(read(text)).toEqual({ kind: 'malformed', line, problem });
  });

  it('stops at the first row that is too many: nothing behind it is read', () => {
    expect(read('a\nb\nc\n', 2)).toMatchObject({ rows: { length: 2 } });
    expect(read('a\nb\nc\n"', 2)).toMatchObject({ kind: 'malformed' });
    expect(read('a\nb\nc\nd\n"', 2)).toEqual({ kind: 'tooMany' });
  });

  it('keeps little of a row of a million separators, and reads no row below headings that are refused', () => {
    const commas = ','.repeat(1_000_000);

    expect(read(`a,b\n1,2\n3${commas}`)).toMatchObject({ rows: [{}, { cells: ['3', '', ''] }] });
    expect(read(`x${commas}`)).toMatchObject({ columns: { cells: { length: 200 } } });
    const checkColumns = () => {
      throw new Error('missing column');
    };
    const text = 'a\n"';
    expect(() => readCsv(text, { rowsMax: 1, checkColumns })).toThrow('missing column');
  });
});
