import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RegistryCode, vatNumberFormats } from './vat-number-formats.ts';
import { parseVatNumber, readVatNumber } from './vat-number.ts';

const registryCodes = Object.keys(vatNumberFormats) as RegistryCode[];

describe('the country of a VAT number (interface 4.5, contract C21)', () => {
  it.each(
    'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(
      ' ',
    ),
  )('may be %s', (code) => {
    expect(parseVatNumber(code, '12')).toEqual({ registryCode: code, number: '12' });
  });

  it.each([
    ['Greece by its ISO code', 'GR', 'EL'],
    ['Greece in lower case', 'gr', 'EL'],
    ['Greece in both cases', 'Gr', 'EL'],
    ['Greece by its registry code, in lower case', 'el', 'EL'],
    ['a Member State in lower case', 'de', 'DE'],
    ['a Member State in both cases', 'dE', 'DE'],
    ['Northern Ireland in lower case', 'xi', 'XI'],
    ['blanks around', ' DE\n', 'DE'],
    ['Monaco, whose numbers are French', 'mc', 'FR'],
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
    ['a blank between', 'D E'],
    ['a dot between', 'D.E'],
    ['the long s, which is S in upper case', 'ſE'],
    ['the dotless i, which is I in upper case', 'ıT'],
    ['a ligature, which is FI in upper case', 'ﬁ'],
    ['full-width letters', 'ＤＥ'],
    ['Greek letters', 'ΕΛ'],
    ['Cyrillic letters that look Latin', 'ВЕ'],
    ['the name of a property of every object', 'constructor'],
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
    ['signs that belong to it', '1+*', '1+*'],
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
    ['full-width digits', '１２３４５６７８９', '123456789'],
    ['full-width letters and signs', 'ａＢ．１２－３＋', 'AB123+'],
    ['spaces without width', '123\u200B456\u2060789', '123456789'],
    ['marks of the writing direction', '\u202D123456789\u202C', '123456789'],
    ['soft hyphens', '123\u00AD456', '123456'],
    ['hyphens that do not break', '123\u2011456', '123456'],
    ['letters of compatibility', '12ſ\u212A', '12SK'],
    ['dashes of every kind', '1–2—3‒4−5―6', '123456'],
    [
      'slashes, middle dots, underscores, commas, colons and semicolons',
      '1\\2·3_4,5:6;7',
      '1234567',
    ],
    ['quotes and apostrophes', '„123“ ‘4’ «5» "6" `7´ ′8', '12345678'],
    ['parentheses', '(81)1115368', '811115368'],
    ['a formula of a spreadsheet', '="811115368"', '811115368'],
    ['control characters', '123\u0000456\u001F7', '1234567'],
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
    ['a sharp s, which is SS in upper case', '12ß'],
    ['Arabic digits', '١٢٣٤٥٦٧٨٩'],
    ['Devanagari digits', '१२३४५६७८९'],
    ['Greek letters behind the letters of Greece', 'ELΑΒ'],
    ['no digit', 'n/a'],
    ['letters only', 'PRIVAT'],
    ['an equals sign behind a digit', '12=34'],
    ['a fraction', '½34'],
    ['Cyrillic letters that look Latin', 'АВ123456'],
    ['a letter with an accent', 'é12345'],
    ['a percent sign', '123%456'],
    ['markup', '<v>12</v>'],
    ['an entity', '&amp;12'],
    ['a picture', '12🙂'],
    ['half of a surrogate pair', '12\uD83D'],
  ])('may not have %s', (_, vat) => {
    expect(parseVatNumber('DE', vat)).toBeUndefined();
  });
});

describe('a country in front of the number (rule K2)', () => {
  it.each([
    ['DE', 'DE811115368', '811115368'],
    ['DE', 'de 811 115 368', '811115368'],
    ['DE', 'ＤＥ８１１１１５３６８', '811115368'],
    ['DE', '\u200BD\u00A0E\u200B811115368', '811115368'],
    ['AT', 'ATU14189108', 'U14189108'],
    ['GR', 'EL094019245', '094019245'],
    ['EL', 'GR094019245', '094019245'],
    ['XI', 'XI220430231', '220430231'],
    ['XI', 'GB220430231', '220430231'],
    ['XI', 'GBGD001', 'GD001'],
    ['NL', 'NL854265259B01', '854265259B01'],
    ['SE', 'SE556016068001', '556016068001'],
    ['FR', 'FR40303265045', '40303265045'],
    ['FR', 'FRK7399859412', 'K7399859412'],
    ['RO', 'RO361579', '361579'],
    ['AT', 'AT12345675', '12345675'],
    ['DE', 'DE12345', '12345'],
    ['SI', 'SISI15012557', '15012557'],
    ['GR', 'EL GR 094019245', '094019245'],
    ['FR', 'FRFR40303265045', '40303265045'],
    ['FR', 'FRFR303265045', 'FR303265045'],
    ['MC', 'FR40000066034', '40000066034'],
    ['MC', 'MC 40 000 066 034', '40000066034'],
    ['GB', 'XI220430231', '220430231'],
    ['GB', 'GBXI220430231', '220430231'],
    ['DE', 'DE 811 115 368 - 00001', '811115368'],
  ])('is removed for %s: %s', (country, vat, number) => {
    expect(parseVatNumber(country, vat)).toMatchObject({ number });
  });

  it.each([
    ['BE', '417497106', '0417497106'],
    ['BE', 'BE 417.497.106', '0417497106'],
    ['BE', 'BE0417497106', '0417497106'],
    ['EL', '94019245', '094019245'],
    ['GR', 'EL94019245', '094019245'],
    ['GR', 'GR94019245', '094019245'],
    ['NL', '85187947B01', '085187947B01'],
    ['NL', 'NL4495445B01', '004495445B01'],
  ])('and missing leading zeros are added for %s: %s', (country, vat, number) => {
    expect(parseVatNumber(country, vat)).toMatchObject({ number });
  });

  it.each([
    ['French letters before 9 digits, which is a French number', 'FR', 'FR303265045'],
    ['another country', 'DE', 'ATU14189108'],
    ['another country whose letters are a French key', 'FR', 'DE811115368'],
    ['Great Britain anywhere but for Northern Ireland', 'DE', 'GB220430231'],
    ['9 digits for another country than Belgium', 'LU', '123456789'],
    ['8 digits for another country than Greece', 'BE', '12345678'],
  ])('is left as written: %s', (_, country, number) => {
    expect(parseVatNumber(country, number)).toMatchObject({ number });
  });

  it('leaves no rest of one character', () => {
    expect(parseVatNumber('DE', 'DE1')).toBeUndefined();
  });

  it('never makes a number of more than 12 characters', () => {
    expect(parseVatNumber('SE', 'DE556016068001')).toBeUndefined();
    expect(parseVatNumber('DE', '81111536800001')).toBeUndefined();
  });

  /** Any number of any registry, with any of its prefixes in front. */
  const prefixed = fc.oneof(
    ...registryCodes.map((code) => {
      const { form, prefixes = [code] } = vatNumberFormats[code];
      return fc.record({
        code: fc.constant(code),
        prefix: fc.constantFrom(...prefixes),
        number: fc.stringMatching(form),
      });
    }),
  );

  it('is no part of any number: a complete one behind its country never has the format', () => {
    fc.assert(
      fc.property(prefixed, ({ code, prefix, number }) => {
        const parsed = { registryCode: code, number };
        expect(vatNumberFormats[code].form.test(prefix + number)).toBe(false);
        expect(parseVatNumber(code, prefix + number)).toEqual(parsed);
        expect(parseVatNumber(code, number)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('readVatNumber', () => {
  it.each([
    ['ATU99999901', { countryCode: 'AT', vatNumber: 'U99999901' }],
    ['atu 999 999 01', { countryCode: 'AT', vatNumber: 'U99999901' }],
    ['EL094019245', { countryCode: 'GR', vatNumber: '094019245' }],
    ['GR94019245', { countryCode: 'GR', vatNumber: '094019245' }],
    ['BE 417.497.106', { countryCode: 'BE', vatNumber: '0417497106' }],
    ['XIGD001', { countryCode: 'XI', vatNumber: 'GD001' }],
    ['DE81111536', { countryCode: 'DE', vatNumber: '81111536' }],
    ['FR303265045', { countryCode: 'FR', vatNumber: 'FR303265045' }],
    ['MC40000066034', { countryCode: 'FR', vatNumber: '40000066034' }],
  ])('reads country and number of %s', (text, read) => {
    expect(readVatNumber(text)).toEqual(read);
  });

  it.each([
    ['a number without letters', '811115368'],
    ['a British number', 'GB220430231'],
    ['nothing', ''],
    ['letters of another script', 'ΕΛ094019245'],
  ])('finds no country in %s', (_, text) => {
    expect(readVatNumber(text)).toBeUndefined();
  });

  it.each([
    ['a number without letters', '811115368', 'DE', 'DE', '811115368'],
    ['its own letters', 'DE811115368', 'DE', 'DE', '811115368'],
    ['another country’s letters', 'ATU99999901', 'DE', 'AT', 'U99999901'],
    ['letters that make it too long for the country', 'SE556016068001', 'DE', 'SE', '556016068001'],
    ['British letters for Northern Ireland', 'GB220430231', 'XI', 'XI', '220430231'],
    ['a French number whose key is DE', 'DE811115368', 'FR', 'FR', 'DE811115368'],
    ['Greece by its registry code', '94019245', 'EL', 'GR', '094019245'],
    ['a number without any format', '12345', 'DE', 'DE', '12345'],
    ['another country’s letters before too few digits', 'AT123', 'DE', 'DE', 'AT123'],
    ['a country that no registry knows', 'ATU99999901', 'US', 'AT', 'U99999901'],
  ])('with a country reads %s: %s for %s', (_, text, country, countryCode, vatNumber) => {
    expect(readVatNumber(text, country)).toEqual({ countryCode, vatNumber });
  });

  it('with a country refuses a text that no registry accepts', () => {
    expect(readVatNumber('12٣', 'DE')).toBeUndefined();
    expect(readVatNumber('811115368', 'GB')).toBeUndefined();
  });
});

describe('parseVatNumber', () => {
  const country = fc.oneof(fc.constantFrom('DE', 'gr', 'El', 'XI', 'GB'), fc.string());
  const vat = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('09AZaz+*./- _\u00A0ſß１\u200B')) }),
    fc.string({
      unit: fc.constantFrom('0', '9', 'B', 'DE', 'gr', 'EL', 'GB', 'XI'),
      maxLength: 12,
    }),
    fc.string({ unit: 'binary' }),
  );

  it('returns only numbers that match the registry’s own pattern', () => {
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

  it('reads its own result unchanged', () => {
    fc.assert(
      fc.property(country, vat, (country, vat) => {
        const parsed = parseVatNumber(country, vat);
        if (parsed === undefined) return;
        expect(parseVatNumber(parsed.registryCode, parsed.number)).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignores letter case and meaningless signs at any place', () => {
    const number = fc.stringMatching(/^[0-9A-Z+*]{2,12}$/);
    const noise = fc.array(fc.constantFrom('', ' ', '.', '-', '/', '\u00A0'), { maxLength: 13 });
    fc.assert(
      fc.property(number, noise, fc.boolean(), (number, noise, isLower) => {
        const spelling = Array.from(number, (sign, at) => (noise[at] ?? '') + sign).join('');
        const written = isLower ? spelling.toLowerCase() : spelling;
        expect(parseVatNumber('el', `${written}${noise.at(-1) ?? ''}`)).toEqual(
          parseVatNumber('EL', number),
        );
      }),
    );
  });
});
