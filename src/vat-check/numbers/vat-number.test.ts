import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viesCodes, vatNumberFormats } from './vat-number-formats.ts';
import { parseVatNumber, parseWrittenNumber } from './vat-number.ts';

const registryCodes = viesCodes;

describe('the country of a VAT number (interface 4.5, contract C21)', () => {
  it('may be each registry code', () => {
    for (const code of registryCodes) {
      expect(parseVatNumber(code, '12')).toEqual({ registryCode: code, number: '12' });
    }
    expect(registryCodes.join(' ')).toBe(
      'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI',
    );
  });

  it.each([
    ['GR', 'EL'],
    ['gr', 'EL'],
    ['el', 'EL'],
    ['dE', 'DE'],
    ['xi', 'XI'],
    [' DE\n', 'DE'],
    ['mc', 'FR'],
  ])('may be %j for %s', (country, registryCode) => {
    expect(parseVatNumber(country, '12')).toEqual({ registryCode, number: '12' });
  });

  // Among them letters that are Latin only in upper case: ſE, ıT and the ligature ﬁ.
  it.each([
    '',
    'D E',
    ...'GB UK CH ZZ D DEU 49 D.E ſE ıT ﬁ ＤＥ ΕΛ ВЕ constructor __proto__'.split(' '),
  ])('may not be %j', (country) => {
    expect(parseVatNumber(country, '123456789')).toBeUndefined();
  });
});

describe('the number of a VAT number (contract C21)', () => {
  it.each([
    ['letters in lower case', 'u12345678', 'U12345678'],
    ['letters in both cases', '9z99902w', '9Z99902W'],
    ['a plus', '9+99903W', '9+99903W'],
    ['signs that belong to it', '1+*', '1+*'],
    ['2 characters, as in Romania', '99', '99'],
    ['12 characters', '999999999902', '999999999902'],
    ['blanks between', '123 456 789', '123456789'],
    ['tabs and line breaks', '\t123\r\n456\n', '123456'],
    ['non-breaking blanks', '123\u00A0456\u00A0789', '123456789'],
    ['narrow and ideographic blanks', '123\u202F456\u3000789', '123456789'],
    ['a byte order mark in front', '\uFEFF123456789', '123456789'],
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
    '',
    '   ',
    '.-/ ',
    '1'.repeat(8_000),
    '12\uD83D',
    ...'1 -1. 1234567890123 12ß ١٢٣٤٥٦٧٨٩ १२३४५६७८९ ELΑΒ n/a PRIVAT 12=34 ½34 АВ123456 é12345 123%456 <v>12</v> &amp;12 12🙂'.split(
      ' ',
    ),
  ])('may not be %j', (vat) => {
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
    ['UK', 'XI220430231', '220430231'],
    ['uk', 'UKXI220430231', '220430231'],
    ['GB', 'UKGBXIGD601', 'GD601'],
    ['XI', 'UK220430231', '220430231'],
    ['US', 'FR17698800935', '17698800935'],
    ['AU', 'FR 17 698 800 935', '17698800935'],
    ['no', 'FRFR17698800935', '17698800935'],
    ['XX', 'XXFR17698800935', '17698800935'],
    ['GB', 'FR17698800935', '17698800935'],
    ['EU', 'GR094019245', '094019245'],
    ['EU', 'EUEL094019245', '094019245'],
    ['US', 'MC 40 000 066 034', '40000066034'],
    ['US', 'GBXI220430231', '220430231'],
    ['CH', 'ATU14189108', 'U14189108'],
    ['BE', 'BE0417497106', '0417497106'],
  ])('is removed for %s: %s', (country, vat, number) => {
    const read = { vatNumber: { number }, remark: 'prefix removed' };
    expect(parseWrittenNumber(country, vat)).toMatchObject(read);
  });

  it.each([
    ['DE', '811115368-00001'],
    ['DE', 'DE 811 115 368 - 00001'],
    ['DE', 'DEDE811115368-00001'],
    ['DE', 'DE 811115368 00002'],
    ['DE', '81111536800001'],
    ['DE', 'DE811115368–00001'],
    ['CH', 'DE 811115368 00001'],
  ])('may be in front of a W-IdNr, of which nine digits are read: %s %s', (country, vat) => {
    const read = { vatNumber: { number: '811115368' }, remark: 'W-IdNr read as VAT number' };
    expect(parseWrittenNumber(country, vat)).toMatchObject(read);
  });

  it.each([
    ['DE', '811115368-000011'],
    ['DE', 'A811115368-00001'],
    ['DE', '8111153680-0001A'],
    ['EE', '811115368-00001'],
  ])('is no W-IdNr for %s: %s', (country, vat) => {
    expect(parseWrittenNumber(country, vat)).toBeUndefined();
  });

  it.each([
    ['BE', '417497106', '0417497106'],
    ['BE', 'BE 417.497.106', '0417497106'],
    ['EL', '94019245', '094019245'],
    ['GR', 'EL94019245', '094019245'],
    ['GR', 'GR94019245', '094019245'],
    ['NL', '85187947B01', '085187947B01'],
    ['NL', 'NL4495445B01', '004495445B01'],
  ])('and missing leading zeros are added for %s: %s', (country, vat, number) => {
    const read = { vatNumber: { number }, remark: 'leading 0 added' };
    expect(parseWrittenNumber(country, vat)).toMatchObject(read);
  });

  it.each([
    ['French letters before 9 digits, which is a French number', 'FR', 'FR303265045'],
    ['another country', 'DE', 'ATU14189108'],
    ['another country whose letters are a French key', 'FR', 'DE811115368'],
    ['Great Britain anywhere but for Northern Ireland', 'DE', 'GB220430231'],
    ['9 digits for another country than Belgium', 'LU', '123456789'],
    ['8 digits for another country than Greece', 'BE', '12345678'],
  ])('is left as written: %s', (_, country, number) => {
    const read = { vatNumber: { number }, remark: null };
    expect(parseWrittenNumber(country, number)).toMatchObject(read);
  });

  it.each([
    ['US', 'FR1769880093'],
    ['US', '17698800935'],
    ['US', 'GB220430231'],
    ['US', 'CHDE811115368'],
    ['UK', '220430231'],
    ['CH', 'CHE123456789'],
    ['NO', 'NO974761076MVA'],
    ['EU', 'EU372041333'],
    ['USA', 'FR17698800935'],
  ])('finds no registry for %s in %s', (country, vat) => {
    expect(parseVatNumber(country, vat)).toBeUndefined();
  });

  it('leaves no rest of one character', () => {
    expect(parseVatNumber('DE', 'DE1')).toBeUndefined();
  });

  it('never makes a number of more than 12 characters', () => {
    expect(parseVatNumber('SE', 'DE556016068001')).toBeUndefined();
    expect(parseVatNumber('EE', '81111536800001')).toBeUndefined();
    expect(parseVatNumber('DE', '8111153680001')).toBeUndefined();
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
});
