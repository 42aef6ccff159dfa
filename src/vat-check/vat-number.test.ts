import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseVatNumber } from './vat-number.ts';

describe('the country of a VAT number (interface 4.5, contract C21)', () => {
  it.each(
    'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(
      ' ',
    ),
  )('may be %s', (code) => {
    expect(parseVatNumber(code, '123456789')).toEqual({ registryCode: code, number: '123456789' });
  });

  it.each([
    ['Greece by its ISO code', 'GR', 'EL'],
    ['Greece in lower case', 'gr', 'EL'],
    ['Greece in both cases', 'Gr', 'EL'],
    ['Greece by its registry code, in lower case', 'el', 'EL'],
    ['a Member State in lower case', 'de', 'DE'],
    ['a Member State in both cases', 'dE', 'DE'],
    ['Northern Ireland in lower case', 'xi', 'XI'],
  ])('may be %s: %s', (_, country, registryCode) => {
    expect(parseVatNumber(country, '12')).toEqual({ registryCode, number: '12' });
  });

  it.each([
    ['the United Kingdom, which left', 'GB'],
    ['the United Kingdom by another name', 'UK'],
    ['a country outside of the Union', 'CH'],
    ['a country that does not exist', 'ZZ'],
    ['nothing', ''],
    ['one letter', 'D'],
    ['three letters', 'DEU'],
    ['digits', '49'],
    ['a blank in front', ' DE'],
    ['a blank behind', 'DE '],
    ['a blank between', 'D E'],
    ['a line break behind', 'DE\n'],
    ['a dot between', 'D.E'],
    ['the long s, which is S in upper case', 'ſE'],
    ['the dotless i, which is I in upper case', 'ıT'],
    ['a ligature, which is FI in upper case', 'ﬁ'],
    ['full-width letters', 'ＤＥ'],
    ['Greek letters', 'ΕΛ'],
    ['Cyrillic letters that look Latin', 'ВЕ'],
    ['the name of something that every object has', 'constructor'],
    ['the name of its prototype', '__proto__'],
  ])('may not be %s', (_, country) => {
    expect(parseVatNumber(country, '123456789')).toBeUndefined();
  });
});

describe('the number of a VAT number (contract C21)', () => {
  it.each([
    ['digits', '123456789', '123456789'],
    ['letters in upper case', 'U12345678', 'U12345678'],
    ['letters in lower case', 'u12345678', 'U12345678'],
    ['letters in both cases', '9z99902w', '9Z99902W'],
    ['a plus', '9+99903W', '9+99903W'],
    ['a star', '9*99903w', '9*99903W'],
    ['nothing but signs that belong to it', '+*', '+*'],
    ['2 characters, as in Romania', '99', '99'],
    ['12 characters', '999999999902', '999999999902'],
    ['blanks between', '123 456 789', '123456789'],
    ['blanks around', '  123456789 ', '123456789'],
    ['tabs and line breaks', '\t123\r\n456\n', '123456'],
    ['non-breaking blanks', '123\u00A0456\u00A0789', '123456789'],
    ['narrow and ideographic blanks', '123\u202F456\u3000789', '123456789'],
    ['a byte order mark in front', '\uFEFF123456789', '123456789'],
    ['dots', '123.456.789', '123456789'],
    ['hyphens', '123-456-789', '123456789'],
    ['slashes', '123/456/789', '123456789'],
    ['all of them', ' 12-3.4/5 6..7--8//9 ', '123456789'],
    ['12 characters between many signs', `${'. -/'.repeat(500)}999999999902`, '999999999902'],
    ['what looks like its own country in front', 'DE123456789', 'DE123456789'],
  ])('may have %s', (_, vat, number) => {
    expect(parseVatNumber('DE', vat)).toEqual({ registryCode: 'DE', number });
  });

  it.each([
    ['nothing', ''],
    ['only blanks', '   '],
    ['only signs that mean nothing', '.-/ '],
    ['1 character', '1'],
    ['1 character among signs', '-1.'],
    ['13 characters', '1234567890123'],
    ['8,000 characters', '1'.repeat(8_000)],
    ['the long s, which is S in upper case', '12ſ'],
    ['a sharp s, which is SS in upper case', '12ß'],
    ['the Kelvin sign, which is K in lower case', '12\u212A'],
    ['full-width digits', '１２３４５６７８９'],
    ['Arabic digits', '١٢٣٤٥٦٧٨٩'],
    ['Cyrillic letters that look Latin', 'АВ123456'],
    ['a letter with an accent', 'é12345'],
    ['an underscore', '123_456'],
    ['a comma', '123,456'],
    ['a backslash', '123\\456'],
    ['a percent sign', '123%456'],
    ['a dash that is no hyphen', '123–456'],
    ['a blank without width, which is none', '123\u200B456'],
    ['a zero byte', '123\u0000456'],
    ['markup', '<v>12</v>'],
    ['an entity', '&amp;12'],
    ['a picture', '12🙂'],
    ['half of a picture', '12\uD83D'],
  ])('may not have %s', (_, vat) => {
    expect(parseVatNumber('DE', vat)).toBeUndefined();
  });
});

describe('parseVatNumber', () => {
  const country = fc.oneof(fc.constantFrom('DE', 'gr', 'El', 'XI', 'GB'), fc.string());
  const vat = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('09AZaz+*./- _\u00A0ſß１')) }),
    fc.string({ unit: 'binary' }),
  );

  it('gives only what matches the registry’s own pattern', () => {
    fc.assert(
      fc.property(country, vat, (country, vat) => {
        const parsed = parseVatNumber(country, vat);
        if (parsed === undefined) return;
        expect(parsed.registryCode).toMatch(/^[A-Z]{2}$/);
        expect(parsed.number).toMatch(/^[0-9A-Z+*]{2,12}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same for what it gave', () => {
    fc.assert(
      fc.property(country, vat, (country, vat) => {
        const parsed = parseVatNumber(country, vat);
        if (parsed === undefined) return;
        expect(parseVatNumber(parsed.registryCode, parsed.number)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not mind letter case, nor signs that mean nothing, wherever they are', () => {
    const number = fc.stringMatching(/^[0-9A-Z+*]{2,12}$/);
    const noise = fc.array(fc.constantFrom('', ' ', '.', '-', '/', '\u00A0'), { maxLength: 13 });
    fc.assert(
      fc.property(number, noise, fc.boolean(), (number, noise, isLower) => {
        const spelling = Array.from(number, (sign, at) => (noise[at] ?? '') + sign).join('');
        const written = isLower ? spelling.toLowerCase() : spelling;
        expect(parseVatNumber('el', `${written}${noise.at(-1) ?? ''}`)).toEqual({
          registryCode: 'EL',
          number,
        });
      }),
    );
  });
});
