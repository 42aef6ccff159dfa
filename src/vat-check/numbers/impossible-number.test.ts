import { describe, expect, it } from 'vitest';
import { impossibleNumber } from './impossible-number.ts';
import { parseWrittenNumber } from './vat-number.ts';

describe('impossibleNumber (the second list of rule K3)', () => {
  it.each([
    ['DE', '9'.repeat(65), 'longer than 64 characters'],
    ['EL', '99999999Ω', 'letters of another script'],
    ['BG', '١٢٣٤٥٦٧٨٩', 'letters of another script'],
    ['DE', 'n/a', 'no digit'],
    ['DE', '', 'no digit'],
    ['US', '123456789', 'no registry for US'],
    ['gb', '123456789', 'no registry for GB'],
    ['uk', '123456789', 'no registry for GB'],
    ['US', 'FR1769880093', 'no registry for US'],
    ['EU', 'EU372041333', 'no registry for EU'],
    ['DEU', '811115368', 'not a country'],
    ['ſe', '811115368', 'not a country'],
    ['', '811115368', 'not a country'],
    ['DE', 'DE 1', 'one character after the prefix'],
    ['MC', 'FRMC1', 'one character after the prefix'],
    ['DE', '1', 'form: expected 9 digits'],
    ['AT', 'U12345678#', 'form: expected U and 8 digits'],
    ['HU', '1234567890123', 'form: expected 8 digits'],
  ])('%s %s: %s', (countryCode, vatNumber, reason) => {
    expect(parseWrittenNumber(countryCode, vatNumber)).toBeUndefined();
    expect(impossibleNumber({ countryCode, vatNumber })).toMatchObject({
      status: 422,
      message: 'INVALID_INPUT',
      headers: { 'vatfx-hint': reason },
    });
  });
});
