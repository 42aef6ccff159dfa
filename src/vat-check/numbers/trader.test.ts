import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTrader, traderFields } from './trader.ts';

describe('the data of a trader (rule K4)', () => {
  it('has every field that was written, without blanks at its ends', () => {
    const written = {
      name: ' Ejemplo & Hijos S.L.\u00A0',
      street: 'Calle Mayor 1',
      postcode: '28001',
      city: '\tMadrid',
      companyType: ' ES-1',
    };

    expect(parseTrader(written)).toEqual({
      kind: 'trader',
      trader: {
        name: 'Ejemplo & Hijos S.L.',
        street: 'Calle Mayor 1',
        postcode: '28001',
        city: 'Madrid',
        companyType: 'ES-1',
      },
    });
  });

  it.each([[{}], [{ name: '', city: ' \n\t', companyType: ' ' }]])(
    'has no field without a text: %j',
    (written) => {
      expect(parseTrader(written)).toEqual({ kind: 'trader', trader: {} });
    },
  );

  it.each(['DE-1', 'AT-10', 'XX-99'])('accepts the company type %s', (companyType) => {
    expect(parseTrader({ companyType })).toEqual({ kind: 'trader', trader: { companyType } });
  });

  it.each(['de-1', 'DE1', 'DE-0', 'DE-01', 'DE-100', 'DEU-1', 'DE-1a', 'D-1', 'DE\u20101', '---'])(
    'refuses the company type %s',
    (companyType) => {
      expect(parseTrader({ companyType })).toEqual({ kind: 'malformed', field: 'companyType' });
    },
  );

  it.each(['name', 'street', 'postcode', 'city'] as const)(
    'refuses a %s of 201 characters, and accepts 200 of any alphabet',
    (field) => {
      const longest = '𝒜'.repeat(200);

      expect(parseTrader({ [field]: `${longest}x` })).toEqual({ kind: 'malformed', field });
      expect(parseTrader({ [field]: ` ${longest} ` })).toEqual({
        kind: 'trader',
        trader: { [field]: longest },
      });
    },
  );

  it.each([
    ['a line break', 'A\nB'],
    ['a tab', 'A\tB'],
    ['a NUL', 'A\0B'],
    ['a control character of Latin-1', 'A\u0085B'],
    ['the first half of a surrogate pair', 'A\uD835'],
    ['the second half of a surrogate pair', '\uDC9CA'],
    ['U+FFFE', 'A\uFFFEB'],
    ['U+FFFF', 'A\uFFFFB'],
  ])('refuses %s in a text', (_, text) => {
    expect(parseTrader({ city: text })).toEqual({ kind: 'malformed', field: 'city' });
  });

  it('is read again without a change', () => {
    const written = fc.record(
      Object.fromEntries(traderFields.map((field) => [field, fc.string({ unit: 'binary' })])),
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(written, (fields) => {
        const read = parseTrader(fields);
        const again = read.kind === 'trader' ? parseTrader(read.trader) : read;
        expect(again).toEqual(read);
      }),
    );
  });
});
