import { describe, expect, it } from 'vitest';
import { namedByTedb, type PostcodeRule, readAddressCountry, territories } from './territory.ts';

function isWellFormed({ prefix, from, to, except = [] }: PostcodeRule): boolean {
  return prefix === undefined
    ? from.length === to.length && from <= to && /^[A-Z0-9]+$/.test(from)
    : except.every((one) => one.startsWith(prefix)) && /^[A-Z0-9]+$/.test(prefix);
}

const required =
  'ES-CN ES-CE ES-ML DE-BUS DE-HEL IT-LIV IT-CAM AX GR-69 GP MQ RE GF YT FR-20R PT-20 PT-30 AT-JUN AT-MIT ' +
  'GR-AEG4 GR-AEG4A MC IM CY-SBA XI SM VA GI CY-N';

describe('the table of territories (rule G8)', () => {
  it('has every territory that the rule names', () => {
    const codes = territories.map(({ code }) => code);

    expect(codes).toEqual(expect.arrayContaining(required.split(' ')));
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(territories)('$code has a law, a note, and well-formed postcodes and rates', (one) => {
    expect(one.legalBasis).not.toBe('');
    expect(one.note).toMatch(/\.$/);
    expect(one.postcodes.filter((rule) => !isWellFormed(rule))).toEqual([]);
    expect(one.vatTerritory === 'outside' && one.treatAs !== null).toBe(false);
    const reduced = one.rates?.reduced ?? [];
    expect(reduced).toEqual(reduced.toSorted((a, b) => a - b));
    // No reduced rate means that no VAT is levied.
    expect(one.rates?.reduced?.length === 0 && one.rates.tax !== 'none').toBe(false);
  });

  it('has the rates of law', () => {
    const ratesOf = (code: string) => territories.find((one) => one.code === code)?.rates;

    expect(ratesOf('ES-CN')).toMatchObject({ tax: 'IGIC', standard: 7 });
    expect(ratesOf('RE')).toMatchObject({ standard: 8.5, reduced: [1.05, 1.75, 2.1] });
    expect(ratesOf('GF')).toEqual({
      tax: 'none',
      standard: 0,
      reduced: [],
      parking: null,
      since: null,
    });
    expect(ratesOf('MC')).toMatchObject({ standard: 20, reduced: [2.1, 5.5, 10] });
    expect(ratesOf('FR-20R')).toMatchObject({ reduced: [0.9, 2.1, 5.5, 10, 13] });
    for (const code of ['AT-JUN', 'AT-MIT']) {
      expect(ratesOf(code)).toMatchObject({ standard: 19, reduced: [4.9, 10, 13] });
    }
    expect(ratesOf('PT-20')).toMatchObject({ standard: 16, reduced: [4, 9], parking: 9 });
    expect(ratesOf('GR-AEG4A')).toMatchObject({ standard: 17, since: '2026-01-01' });
  });

  it('says since which day Saint-Barthélemy has been outside', () => {
    expect(territories.find(({ code }) => code === 'BL')?.note).toContain('since 2012-01-01');
  });

  it.each([
    ['AT', 'Jungholz, Mittelberg', ['AT-JUN', 'AT-MIT']],
    ['FR', 'in Martinique, Guadeloupe and Réunion', ['GP', 'MQ', 'RE']],
    [
      'GR',
      'The Aegean Islands of Leros, Lesvos, Kos, Samos and Chios (…)',
      ['GR-AEG4', 'GR-AEG4A'],
    ],
    ['PT', 'Azores Autonomous Region', ['PT-20']],
    ['AT', 'Azores Autonomous Region', []],
  ])('knows the territories of %s that TEDB calls %j', (country, text, codes) => {
    expect(namedByTedb(country, text).map(({ code }) => code)).toEqual(codes);
  });
});

describe('the country of an address (rules G3, G8)', () => {
  it.each(['SE SE', 'el GR', 'gr GR', 'gb GB', 'CH CH', 'ic IC', 'es-cn ES-CN', 'FR-971 FR-971'])(
    'is read, as in %s',
    (pair) => {
      const [text = '', code] = pair.split(' ');
      expect(readAddressCountry(text)).toBe(code);
    },
  );

  it.each(['UK', 'US', 'XX', 'ESP', 'E', '', 'eſ', 'Spain', 'toString'])('%j is none', (text) => {
    expect(readAddressCountry(text)).toBeUndefined();
  });
});
