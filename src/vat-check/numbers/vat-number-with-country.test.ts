import { describe, expect, it } from 'vitest';
import { readVatNumber } from './vat-number.ts';

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
