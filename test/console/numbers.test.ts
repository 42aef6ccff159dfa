import { describe, expect, it } from 'vitest';
import { listPathOf, readFilters } from '../../web/src/check/check-query.ts';
import { leftOf, prepareOrder } from '../../web/src/check/order.ts';
import { readNumbers } from '../../web/src/check/read-numbers.ts';
import {
  findTable,
  guessColumns,
  readWritten,
  type Written,
} from '../../web/src/check/read-table.ts';
import { noExtras } from '../../web/src/check/extras.ts';
import { nextDelayMs } from '../../web/src/session/poll.ts';

/** The numbers of a text as `DE 123`. */
const numbersOf = (text: string, country = '') =>
  readNumbers(text, country).numbers.map(
    ({ countryCode, vatNumber }) => `${countryCode} ${vatNumber}`,
  );

/** A text in the field, with the columns that are guessed. */
function write(text: string, country: string): Written {
  const table = findTable(text);
  return { text, country, table: table && { ...table, columns: guessColumns(table, country) } };
}

const numbersUpTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `DE${100_000_000 + at}`).join('\n');

describe('readNumbers (rule K19)', () => {
  it.each([
    [
      'DE999999901\nATU99999901\r\nEL 999 999 901',
      ['DE 999999901', 'AT U99999901', 'GR 999999901'],
    ],
    ['DE999999901, DE999999902;\tATU99999901', ['DE 999999901', 'DE 999999902', 'AT U99999901']],
    ['DE\t999999901\nGR,999999901\n999999902;DE', ['DE 999999901', 'GR 999999901', 'DE 999999902']],
    ['"DE999999901","FR00999999901"', ['DE 999999901', 'FR 00999999901']],
    ['ＤＥ９９９９９９９０１', ['DE 999999901']],
    // A number is found inside a line by its letters.
    ['USt-IdNr.: DE999999901', ['DE 999999901']],
    ['• IT99999900012\n- VAT no. NL 8542.65.259.B01 (main)', ['IT 99999900012', 'NL 854265259B01']],
    ['Our number is ATU 99999901.', ['AT U99999901']],
    // A number with separators is never cut.
    ['DE 300,016,808', ['DE 300016808']],
    // The registry decides about a number that has not the form of its country.
    ['DE 12345', ['DE 12345']],
    // The service adds the 0, so that the check has its hint.
    ['BE 999 999 901', ['BE 999999901']],
    ['MC40000066034', ['FR 40000066034']],
    ['\n \n', []],
  ])('reads %j as %j', (text, numbers) => {
    expect(numbersOf(text)).toEqual(numbers);
    expect(readNumbers(text, '').unread).toEqual([]);
  });

  it('reads numbers without letters as those of the chosen country, and others by their letters', () => {
    expect(numbersOf('999999901\nATU99999901\nEL999999901\n1234567', 'DE')).toEqual([
      'DE 999999901',
      'AT U99999901',
      'GR 999999901',
      'DE 1234567',
    ]);
    // A French number can begin with the letters of another country.
    expect(numbersOf('DE999999901', 'FR')).toEqual(['FR DE999999901']);
  });

  it('checks a number once, whatever its spelling', () => {
    const { numbers, repeatedCount } = readNumbers('EL999999901\nGR 999-999-901\nDE999999901', '');

    expect(numbers).toHaveLength(2);
    expect(repeatedCount).toBe(1);
  });

  const isMissing =
    'the letters of its country are missing: write them in front, or choose the country';
  const isNone = 'it is no number of DE, nor one with the letters of another country';
  it.each([
    ['Müller GmbH', 'DE', 'it has no digit'],
    ['999999901', '', isMissing],
    ['10115 Berlin', 'DE', isNone],
    ['Invoice 2026 of 12 March', 'DE', isNone],
    ['2026-11-20', 'DE', 'it is a date'],
    ['8,11115E+08', 'DE', 'the spreadsheet has shortened the number: format its column as text'],
    ['1.234.567,89', 'DE', 'it is an amount of money'],
    [
      'GB 123456789',
      '',
      'Great Britain is not in VIES since 2021; numbers of Northern Ireland begin with XI',
    ],
    [
      'DE 12345678901234567',
      '',
      'it is longer than a VAT number, which has 2 to 12 letters and digits',
    ],
    ['СА12345678', '', 'a VAT number has 2 to 12 Latin letters and digits'],
    [
      'DE999999901 and ATU99999901 and more',
      '',
      'it has more than one number: write each on a line of its own',
    ],
    ['999999901;999999902;x', 'DE', 'it has more than one number: write each on a line of its own'],
  ])('names %j of %j as unread: %s', (text, country, fault) => {
    expect(readNumbers(`\n${text}`, country)).toMatchObject({
      numbers: [],
      repeatedCount: 0,
      unread: [{ line: 2, text, fault }],
    });
  });
});

describe('the request of the form', () => {
  const order = (text: string, extras = {}) =>
    prepareOrder({ ...write(text, ''), extras: { ...noExtras, ...extras } });
  const sent = (text: string, extras = {}) => {
    const made = order(text, extras);
    if (made.kind === 'refused') return made.fault;
    return { path: made.request.path, ...JSON.parse(made.request.body?.text ?? '') };
  };

  it('is one check for one number, with everything that the visitor added', () => {
    const extras = {
      requester: 'NL 854265259B01',
      reference: 'c1',
      name: 'Example',
      city: 'Delft',
    };

    expect(sent('DE999999901')).toEqual({
      path: '/vatchecks',
      countryCode: 'DE',
      vatNumber: '999999901',
      waitSeconds: 5,
    });
    expect(sent('DE999999901', extras)).toMatchObject({
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: { name: 'Example', city: 'Delft' },
      reference: 'c1',
    });
  });

  it.each([
    ['EL 999 999 901', 'GR', '999999901'],
    ['EU 372000041', 'EU', '372000041'],
  ])('has the requester %s', (requester, countryCode, vatNumber) => {
    expect(sent('DE999999901', { requester })).toMatchObject({
      requester: { countryCode, vatNumber },
    });
  });

  it('is a batch for several numbers, each with requester and reference', () => {
    expect(sent('DE999999901\nATU99999901', { reference: 'c1' })).toEqual({
      path: '/vatchecks/batch',
      checks: [
        { countryCode: 'DE', vatNumber: '999999901', reference: 'c1' },
        { countryCode: 'AT', vatNumber: 'U99999901', reference: 'c1' },
      ],
    });
  });

  it.each([
    ['Enter a VAT number.', '', {}],
    ['No VAT number can be read.', 'hello', {}],
    ['The data of a customer belongs to one number.', 'DE999999901\nATU99999901', { name: 'x' }],
    ['Your own VAT number cannot be read.', 'DE999999901', { requester: '854265259B01' }],
    ['This file has requester', 'vatNumber,traderCity\nDE999999901,x', { reference: 'x' }],
    ['Choose the column', 'Customer;Amount\nA;12,00\nB;13,00', {}],
    ['At most 1000 can be checked at a time.', numbersUpTo(1_001), {}],
  ])('is refused with “%s”', (fault, text, extras) => {
    expect(sent(text, extras)).toContain(fault);
  });

  it('is a batch for a table, with the name and the reference of each line', () => {
    const text = 'Firma;USt-ID;Ref\nA;DE999999901;r1\nB;ATU99999901;';

    expect(sent(text, { reference: 'all' })).toEqual({
      path: '/vatchecks/batch',
      checks: [
        { countryCode: 'DE', vatNumber: '999999901', trader: { name: 'A' }, reference: 'r1' },
        { countryCode: 'AT', vatNumber: 'U99999901', trader: { name: 'B' }, reference: 'all' },
      ],
    });
  });

  it('leaves lines without a number in the field, those of a table with its headings', () => {
    const left = (text: string) => {
      const written = write(text, '');
      return leftOf(written, readWritten(written).unread, []).text;
    };

    expect(left('Hello,\nDE999999901\norder 4711\nregards')).toBe('order 4711');
    expect(left('VAT;Name\nDE999999901;A\nx1;B')).toBe('VAT;Name\nx1;B');
    expect(left('VAT;Name\nDE999999901;A')).toBe('');
  });
});

describe('a table of a spreadsheet', () => {
  const read = (text: string, country: string) => {
    const { numbers, unread } = readWritten(write(text, country));
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
      ['DE 999999901', `2: ${british}`, '3: its country “CH” is not in VIES'],
    ],
    ['headings of the service beside others', 'Firma;VAT Number\nA;DE999999901', ['DE 999999901']],
    ['headings of the service', 'vatNumber;traderCity;x\nDE999999901;A;y', ['DE 999999901']],
  ])('with %s', (_, text, found) => {
    expect(read(text, 'DE')).toEqual(found);
  });

  it('with amounts only has no column of numbers, whatever country is chosen', () => {
    const small = 'Customer\tAmount\nA\t12\nB\t00\nC\t99\nD\t1.234.567,89';
    // Without their signs they have the form of German numbers.
    const large = 'Customer\tAmount\nA\t1.234.567,89\nB\t2.345.678,90';

    const columns = [small, large].map((text) => write(text, 'DE').table?.columns.number);
    expect(columns).toEqual([-1, -1]);
  });
});

describe('the list of an address', () => {
  it.each([
    ['', '/vatchecks?limit=50'],
    ['valid=false&country=DE', '/vatchecks?valid=false&countryCode=DE&limit=50'],
    ['number=DE999999901', '/vatchecks?vatNumber=DE999999901&limit=50'],
    ['country=AT&number=U9', '/vatchecks?countryCode=AT&vatNumber=U9&limit=50'],
    ['number=999999901', '/vatchecks?vatNumber=999999901&limit=50'],
    ['number=Example', undefined],
    ['from=2026-10-01&to=2026-10-31', '/vatchecks?since=2026-10-01&until=2026-11-01&limit=50'],
    [
      'status=pending&reference=a%26b&cursor=vc_2&foreign=1',
      '/vatchecks?status=pending&referencePrefix=a%26b&cursor=vc_2&limit=50',
    ],
  ])('with %j has the path %j', (address, path) => {
    expect(listPathOf(readFilters(new URLSearchParams(address)))).toBe(path);
  });
});

describe('files and polling', () => {
  it('polls after growing delays up to 30 s, and again after a second when an answer changes', () => {
    const delays = [1_000];
    for (let count = 0; count < 10; count += 1) delays.push(nextDelayMs(delays.at(-1) ?? 0, false));

    expect(delays.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(delays.at(-1)).toBe(30_000);
    expect(nextDelayMs(30_000, true)).toBe(1_000);
  });
});
