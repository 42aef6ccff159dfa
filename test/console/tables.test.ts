import { describe, expect, it } from 'vitest';
import { findTable, guessColumns, readTable } from '../../web/src/check/read-table.ts';

describe('a table with headings of its own', () => {
  const sheet =
    'Kundennr;Firma;Land;USt-ID;Umsatz\n10001;Muster GmbH;DE;999999901;1234,00\n10002;Ejemplo SL;ES;ESB99999902;12,00\n10003;"A; B";AT;;99,00\n';
  const read = (text: string, country = '') => {
    const table = findTable(text);
    if (table === undefined) return undefined;
    return readTable(table, guessColumns(table, country), country);
  };

  it('is read by the columns of number, country, name and reference; amounts are not', () => {
    expect(read(sheet, 'DE')).toMatchObject({
      numbers: [
        { countryCode: 'DE', vatNumber: '999999901', name: 'Muster GmbH', reference: '10001' },
        { countryCode: 'ES', vatNumber: 'B99999902', name: 'Ejemplo SL', reference: '10002' },
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
    const fault = `its ${role} has more than ${most} characters, or some that cannot be printed`;

    expect(numbersOf(taken)?.unread).toEqual([]);
    for (const refused of [`${taken.padEnd(most, 'x')}x`, `${taken.slice(1)}\u0001`]) {
      expect(numbersOf(refused)).toMatchObject({ numbers: [], unread: [{ line: 2, fault }] });
    }
  });

  it('is read without headings, and with the number before its country', () => {
    const numbers = read('999999901;DE;x\nU99999901;AT;y')?.numbers;

    expect(numbers).toEqual([
      { countryCode: 'DE', vatNumber: '999999901' },
      { countryCode: 'AT', vatNumber: 'U99999901' },
    ]);
  });

  it('leaves the choice of the column to the visitor if no cell looks like a number', () => {
    const table = findTable('a;b\nc;d\n');

    expect(table && guessColumns(table, 'DE')).toMatchObject({ number: -1, country: -1 });
    expect(read('a;b\nc;d\n', 'DE')?.numbers).toEqual([]);
  });

  it.each([
    ['columns that can be chosen here', 'VAT Number;MS Code\n999999901;DE', false],
    ['a column that cannot be chosen here', 'vatNumber;traderCity\nDE999999901;Berlin', true],
  ])('with headings of the service and %s is read by it: %#', (_, text, isForService) => {
    expect(findTable(text)).toMatchObject({ isForService });
  });

  it.each([
    ['a list', 'DE999999901\nATU99999901'],
    ['numbers with commas', 'DE 300,016,808\nDE 999,999,901'],
    ['an e-mail', 'Hello, here they are:\n\nUSt-IdNr.: DE999999901\nVAT no: ATU99999901\nRegards'],
    ['a quote that never closes', 'a;b\n"c;d'],
    ['one row', 'a;b'],
  ])('is not %s', (_, text) => {
    expect(findTable(text)).toBeUndefined();
  });
});
