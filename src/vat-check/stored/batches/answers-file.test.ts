import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../test/support/parse-csv.ts';
import { answeredCheck } from '../../../../test/vat-check/support/made-evidence.ts';
import { decode, type Encoding } from '../../reading/encodings.ts';
import type { PrintedCheck } from '../print-check.ts';
import { joinAnswers, type OwnFile, printAnswersFile } from './answers-file.ts';

const checkOf = (fields: Partial<PrintedCheck>): PrintedCheck => ({
  ...(answeredCheck as PrintedCheck),
  traderMatch: null,
  hint: null,
  ...fields,
});
const fileOf = (file: Partial<OwnFile>): OwnFile => ({
  headings: ['x'],
  rows: [],
  separator: ';',
  encoding: 'utf-8',
  ...file,
});

describe('joinAnswers (rule K12)', () => {
  const answersOf = (
    checks: readonly PrintedCheck[],
    numbers: readonly (string | undefined)[],
  ): readonly string[] => {
    const rows = numbers.map((vatNumber, at) => ({
      sent: vatNumber === undefined ? undefined : { vatNumber, countryCode: 'DE' },
      cells: [`r${at}`],
    }));
    return [...joinAnswers(checks, fileOf({ rows })).rows].map(
      (cells) => `${cells[0]} ${cells.at(-1)}`,
    );
  };
  const german = (id: string, vatNumber: string, countryCode = 'DE') =>
    checkOf({ id, vatNumber, countryCode });

  it('keeps skipped rows, and moves no answer if a check was deleted', () => {
    const checks = [german('vc_1', '1'), german('vc_3', '3')];

    expect(answersOf(checks, ['1', undefined, '2', '3'])).toEqual([
      'r0 vc_1',
      'r1 null',
      'r2 null',
      'r3 vc_3',
    ]);
  });

  it('gives rows with one number its checks in turn, the last of them also to further rows', () => {
    const checks = [german('vc_1', '1'), german('vc_2', '1', 'AT'), german('vc_3', '1')];

    expect(answersOf(checks, ['1', '1', '1'])).toEqual(['r0 vc_1', 'r1 vc_3', 'r2 vc_3']);
  });

  it('has the columns of the file first, and tells its names from those of the answers', () => {
    const { columns } = joinAnswers([], fileOf({ headings: ['name', ''] }));

    expect(columns.slice(0, 6)).toEqual([
      'name',
      'Column 2',
      'valid',
      'checked on',
      'name (2)',
      'problem',
    ]);
  });

  it.each<[string | null, Partial<PrintedCheck>]>([
    [null, {}],
    ['not registered', { valid: false }],
    ['not registered; check digit: expected 3', { valid: false, hint: 'check digit: expected 3' }],
    [
      'registered with another city',
      { traderMatch: answeredCheck.traderMatch as PrintedCheck['traderMatch'] },
    ],
    ['no answer yet (MS_UNAVAILABLE)', { status: 'pending', valid: null, error: 'MS_UNAVAILABLE' }],
    ['no answer in time (TIMEOUT)', { status: 'expired', valid: null, error: 'TIMEOUT' }],
    [
      'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI',
      {
        status: 'rejected',
        valid: null,
        countryCode: 'GB',
        vatNumber: '123456789',
        queriedNumber: null,
      },
    ],
    [
      'the registry refuses the requester',
      { status: 'rejected', valid: null, error: 'INVALID_REQUESTER' },
    ],
  ])('says “%s” about a check', (problem, fields) => {
    const check = checkOf(fields);
    const table = joinAnswers([check], fileOf({ rows: [{ sent: check, cells: ['a'] }] }));
    const [cells = []] = table.rows;

    expect(cells[table.columns.indexOf('problem')]).toBe(problem);
  });
});

describe('printAnswersFile (rule K12)', () => {
  const table = {
    columns: ['Umsatz', 'Name'],
    rows: [
      ['-1.234,56', 'Žižka; syn'],
      ['=1', ''],
    ],
  };
  const print = (separator: string, encoding: Encoding) => {
    const printed = printAnswersFile(table, { separator, encoding });
    return { ...printed, text: decode(printed.bytes, printed.encoding) };
  };

  it('prints a file with its own separator and encoding, and leaves its amounts as they are', () => {
    const { text, encoding, bytes } = print(';', 'windows-1250');

    expect(encoding).toBe('windows-1250');
    expect(text).toBe('Umsatz;Name\r\n-1.234,56;"Žižka; syn"\r\n\'=1;\r\n');
    expect(bytes[0]).toBe('U'.charCodeAt(0));
    expect(parseCsv(print(',', 'utf-8').text)[1]).toEqual(["'-1.234,56", 'Žižka; syn']);
  });

  it.each(['utf-8', 'utf-16'] as const)('begins %s with a byte order mark', (encoding) => {
    const { bytes } = print('\t', encoding);

    expect([...bytes.subarray(0, 2)]).toEqual(encoding === 'utf-8' ? [0xef, 0xbb] : [0xff, 0xfe]);
  });

  it('is in UTF-8 if the encoding of the file does not have all characters', () => {
    const { text, encoding } = print('|', 'iso-8859-1');

    expect(encoding).toBe('utf-8');
    expect(text).toContain('Žižka; syn');
  });
});
