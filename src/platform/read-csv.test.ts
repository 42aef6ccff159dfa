import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printCsv } from './csv.ts';
import { readCsv } from './read-csv.ts';

const read = (text: string, rowsMax = 100) => readCsv(Buffer.from(text), { rowsMax });
const table = (columns: readonly string[], ...rows: [number, ...string[]][]) => ({
  kind: 'table',
  columns: { line: 1, cells: columns },
  rows: rows.map(([line, ...cells]) => ({ line, cells })),
});

describe('readCsv (RFC 4180)', () => {
  it.each([
    ['CRLF', 'a,b\r\nc,d\r\n', table(['a', 'b'], [2, 'c', 'd'])],
    ['LF', 'a,b\nc,d\n', table(['a', 'b'], [2, 'c', 'd'])],
    ['no end of the last line', 'a,b\nc,', table(['a', 'b'], [2, 'c', ''])],
    ['a byte order mark', '\uFEFFa,b\nc,d', table(['a', 'b'], [2, 'c', 'd'])],
    ['a byte order mark before a quote', '\uFEFF"a",b', table(['a', 'b'])],
    ['semicolons', 'a;b\nc,d;e\n', table(['a', 'b'], [2, 'c,d', 'e'])],
    ['commas before semicolons', 'a,b;c\n1,2\n', table(['a', 'b;c'], [2, '1', '2'])],
    ['a semicolon in a quoted heading', '"a;b",c\n1,2', table(['a;b', 'c'], [2, '1', '2'])],
    ['one column', 'a\nb;c\n', table(['a'], [2, 'b;c'])],
    ['quotes', 'a,b\n"c,d","e""f"\n', table(['a', 'b'], [2, 'c,d', 'e"f'])],
    ['only quotes', 'a\n""""\n""\n', table(['a'], [2, '"'], [3, ''])],
    [
      'line breaks in quotes',
      'a,b\r\n"c\r\n\nd",e\r\nf,g\r\n',
      table(['a', 'b'], [2, 'c\r\n\nd', 'e'], [5, 'f', 'g']),
    ],
    ['empty lines', 'a,b\n\n\r\nc,d\n\n', table(['a', 'b'], [4, 'c', 'd'])],
    ['blanks', 'a, b\n c ,d\n', table(['a', ' b'], [2, ' c ', 'd'])],
    ['formulas', 'a\n=1+1\n', table(['a'], [2, '=1+1'])],
    ['rows of separators', 'a,b\n,\n,,,\r\n\n,c\n,', table(['a', 'b'], [5, '', 'c'])],
    ['headings alone', 'a,b', table(['a', 'b'])],
    ['nothing', '', table([])],
    ['a byte order mark alone', '\uFEFF', table([])],
  ])('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('names the line of the headings behind empty lines', () => {
    expect(read('\n\r\na;b\n1;2')).toMatchObject({ columns: { line: 3, cells: ['a', 'b'] } });
  });

  it.each([
    ['a,b\nc,d"e\n', 2, 'a quote inside of a cell without quotes'],
    ['a,b\nc, "d"\n', 2, 'a quote inside of a cell without quotes'],
    ['a,b\n"c\nd"e,f\n', 3, 'a text behind a quoted cell'],
    ['a,b\n"c" ,f\n', 2, 'a text behind a quoted cell'],
    ['a,b\nc,"d\n\ne', 2, 'a quoted cell without an end'],
    ['a,b\nc,"d""\n', 2, 'a quoted cell without an end'],
    ['a,b\nc,"', 2, 'a quoted cell without an end'],
    ['a,b\nc,d\re,f\n', 2, 'a carriage return without a line feed'],
    ['a,b\rc,d', 1, 'a carriage return without a line feed'],
    ['a,b\n1,2\n3\n', 3, 'the number of cells is 1 instead of 2'],
    ['a,b\n"1\n",2\n3,4,5\n', 4, 'the number of cells is more than 2'],
    ['a\n1,2\n', 2, 'the number of cells is more than 1'],
  ])('names line and problem of %j', (text, line, problem) => {
    expect(read(text)).toEqual({ kind: 'malformed', line, problem });
  });

  it('names the line of bytes that are not UTF-8', () => {
    expect(readCsv(Buffer.from('a\nGr\u00FCn', 'latin1'), { rowsMax: 1 })).toEqual({
      kind: 'malformed',
      line: 2,
      problem: 'bytes that are not UTF-8',
    });
  });

  it('reads what printCsv prints', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', 'a', ' ', 'ß', '1') })
      .filter((text) => text === text.trimStart());
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
      );
    fc.assert(
      fc.property(rows, (rows) => {
        const columns = (rows[0] ?? []).map((_, at) => `c${at}`);
        // A second column keeps the separator a comma, whatever the cells contain.
        const printed = printCsv({
          columns: [...columns, 'x'],
          rows: rows.map((row) => [...row, 'y']),
        });
        const result = read(printed);
        const cells = result.kind === 'table' ? result.rows.map(({ cells }) => cells) : result;
        expect(cells).toEqual(rows.map((row) => [...row, 'y']));
      }),
    );
  });

  it('reads or refuses any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('",;\r\na')) });
    fc.assert(
      fc.property(text, (text) => {
        const result = read(text);
        if (result.kind === 'tooMany') throw new Error('too many rows');
        const line = result.kind === 'table' ? (result.rows.at(-1)?.line ?? 1) : result.line;
        expect(line).toBeLessThanOrEqual(text.split('\n').length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('stops at the first row that is too many: nothing behind it is read', () => {
    expect(read('a\nb\nc\n', 2)).toMatchObject({ rows: { length: 2 } });
    expect(read('a\nb\nc\nd"', 2)).toMatchObject({ kind: 'malformed' });
    expect(read('a\nb\nc\nd\n"', 2)).toEqual({ kind: 'tooMany' });
  });

  it('does not read the rest of a row with too many cells, nor rows below headings that are refused', () => {
    const commas = ','.repeat(1_000_000);

    expect(read(`a,b\n1,2\n3${commas}`)).toMatchObject({ line: 3 });
    expect(read(`x${commas}`)).toMatchObject({ problem: 'the number of cells is more than 200' });
    const checkColumns = () => {
      throw new Error('unknown column');
    };
    const text = Buffer.from('a\n"');
    expect(() => readCsv(text, { rowsMax: 1, checkColumns })).toThrow('unknown column');
  });

  it('reads cells of any length', () => {
    const quotes = '""'.repeat(500_000);

    expect(read(`a\n"${quotes}"`)).toMatchObject({ rows: [{ cells: ['"'.repeat(500_000)] }] });
    expect(read(`a\n"${quotes}`)).toMatchObject({ problem: 'a quoted cell without an end' });
  });
});
