import { describe, expect, it } from 'vitest';
import { answeredCheck } from '../../../../test/vat-check/support/made-evidence.ts';
import { byteOrderMark, printCsv } from '../../../platform/csv/csv.ts';
import type { PrintedCheck } from '../print-check.ts';
import { toCheckTable } from '../requests/check-table.ts';
import { encode } from '../../reading/encodings.ts';
import { fromCsv, fullItem, item, none } from '../../../../test/support/read-batches.ts';

describe('a batch as CSV (rule K12)', () => {
  it.each([',', ';'])('has the checks that JSON would have, separated by “%s”', async (sign) => {
    const heading =
      'reference,vatNumber,countryCode,requesterCountryCode,requesterVatNumber,traderName,traderStreet,traderPostcode,traderCity,traderCompanyType,maxAgeSeconds,expiresInHours';
    const row =
      '"x;y"|DE811115368|de|NL|854265259B01|"=A, ""B"""|C 1|28001|D|DE-1|60|01'.replaceAll(
        '|',
        sign,
      );
    const text = `\uFEFF${heading.replaceAll(',', sign)}\r\n${row}\r\n`;

    expect(await fromCsv(text)).toEqual({ kind: 'batch', items: [fullItem], skipped: [] });
  });

  it('takes empty cells as absent values, and skips rows without any', async () => {
    const text =
      'vatNumber,countryCode,reference,requesterVatNumber,traderCity\n,,,,\n\n811115368,DE,,,\n\n';

    expect(await fromCsv(text)).toEqual({ kind: 'batch', items: [item], skipped: [] });
  });

  it('reads headings in any letter case, with blanks, hyphens and underscores, and those of the Commission', async () => {
    const texts = [
      'CountryCode,VATNumber\nDE,811115368',
      'country code;vat-number\nDE;811115368',
      'COUNTRY_CODE\tVAT_NUMBER\nDE\t811115368',
      'MS Code,VAT Number,Requester MS Code,Requester VAT Number\nDE,811115368,,',
    ];
    for (const text of texts) {
      expect(await fromCsv(text)).toEqual({ kind: 'batch', items: [item], skipped: [] });
    }
  });

  it('reads the file of its own answers again, without naming their columns', async () => {
    const text = byteOrderMark + printCsv(toCheckTable([answeredCheck as PrintedCheck]));
    const echo = { countryCode: 'ES', vatNumber: 'ESB83891812' };

    expect(await fromCsv(text)).toMatchObject({
      items: [{ echo, trader: { city: 'Madrid' } }],
      skipped: [],
    });
  });

  it.each([
    ['DE811115368', 'DE'],
    ['GR 094019245', 'GR'],
    ['mc40000066034', 'MC'],
  ])('takes the country from the letters of %s if there is none', async (written, country) => {
    const read = await fromCsv(`vatNumber\n${written}`);
    const cell = await fromCsv(`countryCode,vatNumber\n,${written}`);

    expect(read).toMatchObject({
      items: [{ kind: 'check', echo: { countryCode: country, vatNumber: written } }],
    });
    expect(cell).toEqual(read);
  });

  it('takes an apostrophe off numbers and postcodes, and leaves that of a name', async () => {
    const text =
      "vatNumber,countryCode,traderPostcode,traderName\n'811115368,'DE,'01067,'t Hoekje BV";

    expect(await fromCsv(text)).toMatchObject({
      items: [{ echo: item.echo, trader: { postcode: '01067', name: "'t Hoekje BV" } }],
    });
  });

  it('names other columns once, without refusing the file', async () => {
    expect(await fromCsv('Kunde,vatNumber,countryCode,constructor\nA,811115368,DE,B')).toEqual({
      kind: 'batch',
      items: [item],
      skipped: [{ line: 1, reason: "unknown columns are ignored: 'Kunde', 'constructor'" }],
    });
  });

  it('skips rows that cannot be read, names each, and reads the rest', async () => {
    const text = [
      'countryCode,vatNumber,reference',
      'DE,,a',
      'DE,811115368,',
      'DE,811115368,b,c',
      ',811115368,d',
      ',GB123456789,e',
      `DE,811115368,${'x'.repeat(101)}`,
      `DE,${'1'.repeat(65)},f`,
    ].join('\n');

    expect(await fromCsv(text)).toEqual({
      kind: 'batch',
      items: [item],
      skipped: [
        { line: 2, reason: 'it has no VAT number' },
        { line: 4, reason: 'it has more cells than the 3 headings' },
        {
          line: 5,
          reason: 'it names no country, and its number does not begin with the letters of one',
        },
        {
          line: 6,
          reason:
            'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI',
        },
        { line: 7, reason: "invalid 'reference' — expected at most 100 printable characters" },
        { line: 8, reason: 'vatNumber has more than 64 characters' },
      ],
    });
  });

  it('is 400 with the faults of the first 100 rows if no row is left', async () => {
    const faults = Array.from({ length: 100 }, (_, at) => `line ${at + 2}: it has no VAT number`);

    expect(await fromCsv(`countryCode,vatNumber\n${'DE,\n'.repeat(130)}`)).toBe(
      `400 ${faults.join('; ')}; 30 more`,
    );
  });

  it.each([
    ['', "line 1: missing column 'vatNumber'"],
    ['countryCode\nDE', "line 1: missing column 'vatNumber'"],
    ['countryCode,vatNumber,Country Code\n', "line 1: repeated column 'countryCode'"],
    ['\nvatNumber,MS Code,countryCode\n', "line 2: repeated column 'countryCode'"],
    ['countryCode,vatNumber\n', "invalid 'body' — expected 1 to 1000 checks"],
    ['countryCode,vatNumber\n,\n', "invalid 'body' — expected 1 to 1000 checks"],
    ['countryCode,vatNumber\nDE,"1\n', 'line 2: invalid CSV — a quoted cell without an end'],
  ])('is 400 for %j', async (text, refusal) => {
    expect(await fromCsv(text)).toBe(`400 ${refusal}`);
  });

  it.each([
    ['maxAgeSeconds', '1.5', 'expected a whole number from 0 to 7776000'],
    ['maxAgeSeconds', '1e2', 'expected a whole number from 0 to 7776000'],
    ['expiresInHours', '9'.repeat(400), 'expected a whole number from 1 to 720'],
    ['reference', 'x'.repeat(101), 'expected at most 100 printable characters'],
    ['traderName', 'x'.repeat(201), 'expected at most 200 printable characters'],
    ['traderCompanyType', 'DE', 'expected a company type such as DE-1'],
    ['requesterVatNumber', '1', 'expected a possible VAT number'],
    ['requesterCountryCode', '', 'expected 2-letter ISO code'],
  ])('names line and column of a malformed value: %s %j', async (column, cell, expected) => {
    const valid = {
      countryCode: 'DE',
      vatNumber: '811115368',
      requesterCountryCode: 'NL',
      requesterVatNumber: '854265259B01',
      [column]: '',
    };
    const names = Object.keys(valid);
    const cells = Object.values({ ...valid, [column]: cell });
    const two = [names, cells].map((row) => row.join(',')).join('\n\n');

    expect(await fromCsv(two)).toBe(`400 line 3: invalid '${column}' — ${expected}`);
  });

  const names = 'vatNumber;traderName\nDE811115368;';
  const cells = (name: string) => ({ items: [{ trader: { name } }], skipped: [] });

  it.each([
    ['windows-1250', 'Žižka'],
    ['windows-1253', 'Αθήνα'],
    ['iso-8859-1', 'Müller'],
    ['utf-16', 'София'],
  ] as const)('is read in the declared encoding: %s', async (charset, name) => {
    const bytes = Buffer.from(encode(names + name, charset) ?? []);

    expect(await fromCsv(bytes, none, charset)).toMatchObject(cells(name));
  });

  it('of which no encoding is known has its rows in ASCII only', async () => {
    const text = `${names}M\u00FCller\nDE811115368;B\u00E4r\nDE811115368;Max`;
    const reason = "declare the charset: column 'traderName' has a byte beyond ASCII";

    expect(await fromCsv(Buffer.from(text, 'latin1'))).toMatchObject({
      ...cells('Max'),
      skipped: [
        { line: 2, reason },
        { line: 3, reason },
      ],
    });
  });

  it.each([
    ['of UTF-8', undefined, Buffer.from(`${names}ü\nDE811115368;M\u00FCller`, 'latin1'), 'utf-8'],
    [
      'without a character',
      'windows-1252',
      Buffer.from(`${names}x\nDE1;\x81`, 'latin1'),
      'windows-1252',
    ],
    ['of controls', 'iso-8859-1', Buffer.from(`${names}x\nDE1;\x80`, 'latin1'), 'iso-8859-1'],
  ] as const)('names the cell with a broken byte %s', async (_, charset, bytes, encoding) => {
    const utf8 = Buffer.concat([Buffer.from(`${names}ü\nDE811115368;`), Buffer.from([0xfc])]);
    const file = encoding === 'utf-8' ? utf8 : bytes;

    expect(await fromCsv(file, none, charset)).toMatchObject({
      items: [{ kind: 'check' }],
      skipped: [
        { line: 3, reason: `column 'traderName' has a byte that ${encoding} does not have` },
      ],
    });
  });

  it.each([
    ['Germany', '811115368', 'DE', '811115368'],
    ['Österreich', 'U14189108', 'AT', 'U14189108'],
    ['Griechenland', '094019245', 'GR', '094019245'],
    ['ES', 'CIF B83891812', 'ES', 'B83891812'],
    ['DK', 'SE-nr. 12345678', 'DK', '12345678'],
    ['', 'USt-IdNr.: DE 811 115 368', 'DE', 'DE 811 115 368'],
  ])('reads %s;%s', async (country, written, countryCode, vatNumber) => {
    expect(await fromCsv(`countryCode;vatNumber\n${country};${written}`)).toMatchObject({
      items: [{ kind: 'check', echo: { countryCode, vatNumber } }],
      skipped: [],
    });
  });

  it.each([
    ['DE', '2026-11-20', 'it is a date'],
    ['DE', '1.234,50', 'it is an amount of money'],
    ['DE', 'DE89 3704 0044 0532 0130 00', 'it is the number of an account (IBAN)'],
    [
      'DE',
      'DE811115368, DE129273398',
      'it has more than one number: write each on a line of its own',
    ],
    ['Schweiz', '811115368', 'Switzerland is not in VIES: its registry is the UID'],
    ['USA Inc', '811115368', 'its country “USA Inc” is not in VIES'],
    ['DE', 'Frau 1 '.repeat(60), 'vatNumber has more than 64 characters'],
  ])('skips the row %s;%s', async (country, written, reason) => {
    const text = `countryCode;vatNumber\n${country};${written}`;

    expect(await fromCsv(text)).toBe(`400 line 2: ${reason}`);
  });

  it.each([
    ['PK\u0003\u0004 xl/workbook.xml', 'a workbook (.xlsx)'],
    ['PK\u0003\u0004 a', 'a ZIP file'],
    ['\u00D0\u00CF\u0011\u00E0', 'an old workbook (.xls) or document'],
    ['%PDF-1.7', 'a PDF document'],
    ['\u0089PNG\r\n', 'a picture'],
    ['\u00FF\u00D8\u00FF', 'a picture'],
    ['\r\n<!DOCTYPE html>', 'a web page (HTML)'],
    ['<?xml version="1.0"?>', 'an XML document'],
  ])('is 400 for another kind of file: %j is %s', async (content, kind) => {
    expect(await fromCsv(Buffer.from(content, 'latin1'))).toBe(
      `400 the file is ${kind} — expected CSV or JSON`,
    );
  });
});
