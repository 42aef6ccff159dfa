import { describe, expect, it } from 'vitest';
import { answeredCheck } from '../../../../test/vat-check/support/made-evidence.ts';
import { byteOrderMark, printCsv } from '../../../platform/csv/csv.ts';
import type { PrintedCheck } from '../print-check.ts';
import { toCheckTable } from '../requests/check-table.ts';
import { fromCsv, fullItem, item } from '../../../../test/support/read-batches.ts';

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
});
