import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../src/vat-check/reading/read-numbers.ts';

/** The numbers of a text as `DE 123`. */
const numbersOf = (text: string, country = '') =>
  readNumbers(text, country).numbers.map(
    ({ countryCode, vatNumber }) => `${countryCode} ${vatNumber}`,
  );

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
    ['DE 12345678901234567', '', 'it has the letters of Germany, but 17 characters instead of 9'],
    ['СА12345678', '', 'a VAT number has 2 to 12 Latin letters and digits'],
    ['999999901;999999902;x', 'DE', 'it has more than one number: write each on a line of its own'],
  ])('names %j of %j as unread: %s', (text, country, fault) => {
    expect(readNumbers(`\n${text}`, country)).toMatchObject({
      numbers: [],
      repeatedCount: 0,
      unread: [{ line: 2, text, fault }],
    });
  });
});
