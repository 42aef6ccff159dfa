import { describe, expect, it } from 'vitest';
import type { PrintedCheck } from '../print-check.ts';
import { checkColumns } from '../requests/check-table.ts';
import { joinOwnColumns, readOwnColumns } from './own-columns.ts';

const checkOf = (id: string, vatNumber: string, countryCode = 'DE') =>
  ({ id, countryCode, vatNumber }) as PrintedCheck;

describe('readOwnColumns (rule K12)', () => {
  it.each([
    ['vatNumber;Firma;name', ['Firma', 'name']],
    ['VAT Number;MS Code;Umsatz', ['Umsatz']],
    [checkColumns.join(';'), []],
    [`${checkColumns.join(';')};Firma`, ['Firma']],
  ])('finds in %s the columns %j', (headings, own) => {
    expect(readOwnColumns(headings, []).headings).toEqual(own);
  });

  it('reads the number of each row that was not skipped, without the apostrophe of a spreadsheet', () => {
    const file = "VAT Number;Firma;MS Code\n'0999999901;A;'BE\nDE999999901;B;\n;C;DE\n";

    expect(readOwnColumns(file, [{ line: 4 }]).rows).toEqual([
      { sent: { vatNumber: '0999999901', countryCode: 'BE' }, cells: ['A'] },
      { sent: { vatNumber: 'DE999999901', countryCode: undefined }, cells: ['B'] },
      { sent: undefined, cells: ['C'] },
    ]);
  });
});

describe('joinOwnColumns', () => {
  const answersOf = (
    checks: readonly PrintedCheck[],
    numbers: readonly (string | undefined)[],
    countryCode?: string,
  ) => {
    const rows = numbers.map((vatNumber, at) => ({
      sent: vatNumber === undefined ? undefined : { vatNumber, countryCode },
      cells: [`r${at}`],
    }));
    const { rows: joined } = joinOwnColumns(checks, { headings: ['x'], rows });
    return [...joined].map((cells) => `${cells.at(-1)} ${cells[0]}`);
  };

  it('keeps skipped rows, and moves no answer if a check was deleted', () => {
    const checks = [checkOf('vc_1', '1'), checkOf('vc_3', '3')];

    expect(answersOf(checks, ['1', undefined, '2', '3'])).toEqual([
      'r0 vc_1',
      'r1 null',
      'r2 null',
      'r3 vc_3',
    ]);
  });

  it('gives rows with one number its checks in turn, the last of them also to further rows', () => {
    const checks = [checkOf('vc_1', '1'), checkOf('vc_2', '1', 'AT'), checkOf('vc_3', '1')];

    expect(answersOf(checks, ['1', '1', '1'], 'DE')).toEqual(['r0 vc_1', 'r1 vc_3', 'r2 vc_3']);
  });

  it('names columns without a heading, and those that have the name of an answer', () => {
    const { columns } = joinOwnColumns([], { headings: ['Name', ''], rows: [] });

    expect(columns.slice(-2)).toEqual(['Name (your file)', 'Column 2']);
  });
});
