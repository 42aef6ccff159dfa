import { describe, expect, it } from 'vitest';
import type { PrintedCheck } from '../print-check.ts';
import { checkColumns } from '../requests/check-table.ts';
import { findOwnColumns, joinOwnColumns } from './own-columns.ts';

const checkOf = (id: string, vatNumber: string, countryCode = 'DE') =>
  ({ id, countryCode, vatNumber }) as PrintedCheck;

describe('findOwnColumns (rule K12)', () => {
  it.each([
    ['vatNumber;Firma;name', ['Firma', 'name']],
    ['VAT Number;MS Code;Umsatz', ['Umsatz']],
    [checkColumns.join(';'), []],
    [`${checkColumns.join(';')};Firma`, ['Firma']],
  ])('of %s are %j', (headings, own) => {
    const cells = headings.split(';');

    expect(findOwnColumns(cells).map((at) => cells[at])).toEqual(own);
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
