import { describe, expect, it } from 'vitest';
import { numberOf } from '../../../../test/vat-check/support/vat-numbers.ts';
import { compareEcho } from './echo.ts';

describe('compareEcho (contract C22)', () => {
  it.each([
    ['the same', 'AT', 'U99999901', 'AT', 'U99999901'],
    ['the same for Greece', 'GR', '999999901', 'EL', '999999901'],
    ['no number', 'CZ', '11111111', 'CZ', ''],
    ['nothing', 'AT', 'U00000000', '', ''],
    ['blanks', 'AT', 'U00000000', ' ', '\n'],
    ['three hyphens', 'FR', '11111111111', '---', '---'],
  ])('finds no difference in an echo of %s', (_, country, vat, countryCode, vatNumber) => {
    expect(compareEcho(numberOf(country, vat), { countryCode, vatNumber })).toEqual([]);
  });

  it.each([
    ['lower case', 'AT', 'U99999901', 'at', 'u99999901', ['country', 'number']],
    ['blanks inside', 'FR', 'ZZ999999902', 'FR', 'ZZ 999 999 902', ['number']],
    ['blanks around it', 'FR', 'ZZ999999902', 'FR', ' ZZ999999902\n', ['number']],
    ['leading zeros that were not sent', 'RO', '999', 'RO', '0999', ['number']],
    ['no leading zeros that were sent', 'BE', '0999999901', 'BE', '999999901', ['number']],
    ['only one of many zeros', 'AT', '00000000', 'AT', '0', ['number']],
    ['the ISO code of Greece', 'EL', '999999901', 'GR', '999999901', ['country']],
    ['its country in front', 'AT', 'U99999901', 'AT', 'AT U99999901', ['number']],
    ['the ISO code of Greece in front', 'EL', '999999901', 'EL', 'GR0999999901', ['number']],
    ['the letters of Great Britain in front', 'XI', '999999901', 'XI', 'GB999999901', ['number']],
    ['no plus', 'IE', '9+99903W', 'IE', '999903W', ['number']],
  ])('finds another form in an echo with %s', (_, country, vat, countryCode, vatNumber, parts) => {
    expect(compareEcho(numberOf(country, vat), { countryCode, vatNumber })).toEqual(
      parts.map((part) => ({ part, difference: 'form' })),
    );
  });

  it.each([
    ['another country and number', 'AT', '1000', 'DE', '1', ['country', 'number']],
    ['another country', 'AT', 'U99999901', 'DE', 'U99999901', ['country']],
    ['another number', 'AT', 'U99999901', 'AT', 'U99999902', ['number']],
    ['another country in front of it', 'AT', 'U99999901', 'AT', 'DEU99999901', ['number']],
    ['its country in front of another number', 'AT', 'U99999901', 'AT', 'ATU99999902', ['number']],
    ['its country alone', 'AT', 'U99999901', 'AT', 'AT', ['number']],
    ['half of the number', 'AT', 'U99999901', 'AT', 'U9999', ['number']],
    ['trailing zeros', 'RO', '99', 'RO', '9900', ['number']],
    ['zeros for a number', 'RO', '99', 'RO', '000', ['number']],
    ['digits of another script', 'RO', '99', 'RO', '٩٩', ['number']],
    [
      'the ISO code of Greece for another country',
      'AT',
      'U99999901',
      'GR',
      'U99999901',
      ['country'],
    ],
  ])('finds that an echo of %s is about something else', (_, country, vat, code, number, parts) => {
    expect(compareEcho(numberOf(country, vat), { countryCode: code, vatNumber: number })).toEqual(
      parts.map((part) => ({ part, difference: 'other' })),
    );
  });
});
