import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../src/vat-check/reading/read-numbers.ts';
import { findTable, readTable } from '../../src/vat-check/reading/read-table.ts';

describe('a table with headings of its own', () => {
  const sheet =
    'Kundennr;Firma;Land;USt-ID;Umsatz\n10001;Muster GmbH;DE;999999901;1234,00\n10002;Ejemplo SL;ES;ESB99999902;12,00\n10003;"A; B";AT;;99,00\n';
  const read = (text: string, country = '') => {
    const table = findTable(text, country);
    return table && readTable(table, { chosen: country });
  };

  it('is read by the columns of number, country, name and reference; amounts are not', () => {
    expect(read(sheet, 'DE')).toMatchObject({
      numbers: [
        {
          countryCode: 'DE',
          vatNumber: '999999901',
          trader: { name: 'Muster GmbH' },
          reference: '10001',
        },
        {
          countryCode: 'ES',
          vatNumber: 'B99999902',
          trader: { name: 'Ejemplo SL' },
          reference: '10002',
        },
      ],
      repeatedCount: 0,
      unread: [
        {
          line: 4,
          text: '10003 · A; B · AT ·  · 99,00',
          fault: 'it has no VAT number',
        },
      ],
    });
  });

  it.each([
    ['name', 200, 'it'.repeat(100)],
    ['reference', 100, '\u{1F4A7}'.repeat(100)],
    ['reference', 100, ''],
  ])('names a row whose %s the service would refuse, over %d characters', (role, most, taken) => {
    const numbersOf = (cell: string) => {
      const cells = role === 'name' ? `${cell};1` : `A;${cell}`;
      return read(`Firma;Nr;USt-ID\n${cells};DE999999901`);
    };
    const column = role === 'name' ? 'Firma' : 'Nr';
    const fault = `invalid '${column}' — expected at most ${most} printable characters`;

    expect(numbersOf(taken)?.unread).toEqual([]);
    for (const refused of [`${taken.padEnd(most, 'x')}x`, `${taken.slice(1)}\u0001`]) {
      expect(numbersOf(refused)).toMatchObject({ numbers: [], unread: [{ line: 2, fault }] });
    }
  });

  it.each([
    ['Firma;Straße;PLZ;Ort;USt-IdNr.', 'A;B 1;10115;C;DE999999901'],
    ['Nom;Rue;Code postal;Ville;N° TVA', 'A;B 1;10115;C;FR00999999901'],
    ['Nazwa;Ulica;Kod pocztowy;Miejscowość;NIP', 'A;B 1;10115;C;PL9999999901'],
    ['Επωνυμία;Διεύθυνση;Τ.Κ.;Πόλη;ΑΦΜ', 'A;B 1;10115;C;EL999999901'],
    ['Name;Address;ZIP;City;VAT ID;E-mail address', 'A;B 1;10115;C;DE999999901;x@y'],
    ['Denominación;Dirección;Código postal;Localidad;CIF', 'A;B 1;10115;C;ESB99999902'],
  ])('is read with the address of the customer: %s', (headings, row) => {
    expect(read(`${headings}\n${row}`)?.numbers).toMatchObject([
      { trader: { name: 'A', street: 'B 1', postcode: '10115', city: 'C' } },
    ]);
  });

  it('is read without headings, and with the number before its country', () => {
    const numbers = read('999999901;DE;x\nU99999901;AT;y')?.numbers;

    expect(numbers).toEqual([
      { countryCode: 'DE', vatNumber: '999999901' },
      { countryCode: 'AT', vatNumber: 'U99999901' },
    ]);
  });

  it.each([
    ['columns that can be chosen here', 'VAT Number;MS Code\n999999901;DE', false],
    ['a column that cannot be chosen here', 'vatNumber;expiresInHours\nDE999999901;9', true],
  ])('with headings of the service and %s is read by it: %#', (_, text, isForService) => {
    expect(findTable(text, '')).toMatchObject({ isForService });
  });

  it.each([
    ['a list', 'DE999999901\nATU99999901'],
    ['numbers with commas', 'DE 300,016,808\nDE 999,999,901'],
    ['an e-mail', 'Hello, here they are:\n\nUSt-IdNr.: DE999999901\nVAT no: ATU99999901\nRegards'],
    ['a quote that never closes', 'a;b\n"c;d'],
    ['one row', 'a;b'],
    ['cells without numbers', 'a;b\nc;d\n'],
    ['amounts', 'Customer\tAmount\nA\t12\nB\t00\nC\t99\nD\t1.234.567,89'],
    ['amounts that look like numbers', 'Customer\tAmount\nA\t1.234.567,89\nB\t2.345.678,90'],
  ])('is not %s', (_, text) => {
    expect(findTable(text, 'DE')).toBeUndefined();
  });
});

describe('a table of a spreadsheet', () => {
  const read = (text: string, country: string) => {
    const table = findTable(text, country);
    const { numbers, unread } = table
      ? readTable(table, { chosen: country })
      : readNumbers(text, country);
    return [
      ...numbers.map((one) => `${one.countryCode} ${one.vatNumber}`),
      ...unread.map(({ line, fault }) => `${line}: ${fault}`),
    ];
  };
  const british =
    'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI';
  it.each([
    [
      'amounts beside numbers with letters',
      'Kunde\tUSt-IdNr.\tUmsatz\nA\tDE999999901\t1.234.567,89\nB\t\t123456789\nC\tATU99999901\t00',
      ['DE 999999901', 'AT U99999901', '3: it has no VAT number'],
    ],
    [
      'telephone numbers with the form of the chosen country beside numbers with letters',
      'A;301234567;ATU99999901\nB;301234568;IT99999900012',
      ['AT U99999901', 'IT 99999900012'],
    ],
    [
      'numbers without letters of the chosen country',
      'Nr;Firma;USt;Ort\n10001;A;999999901;Bonn\n10002;B;999999902;Ulm',
      ['DE 999999901', 'DE 999999902'],
    ],
    [
      'names of countries',
      'Land;Number\nDeutschland;999999901\nÖsterreich;U99999901\nUnited Kingdom;999999902\n;999999903',
      ['DE 999999901', 'AT U99999901', 'DE 999999903', `4: ${british}`],
    ],
    [
      'codes of countries outside of VIES, whose numbers are not those of the chosen country',
      'A;DE;999999901\nB;GB;999999902\nC;CH;999999903',
      ['DE 999999901', `2: ${british}`, '3: Switzerland is not in VIES: its registry is the UID'],
    ],
    ['headings of the service beside others', 'Firma;VAT Number\nA;DE999999901', ['DE 999999901']],
    ['headings of the service', 'vatNumber;traderCity;x\nDE999999901;A;y', ['DE 999999901']],
  ])('with %s', (_, text, found) => {
    expect(read(text, 'DE')).toEqual(found);
  });
});
