import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registryCodes } from './registry-codes.ts';
import { type RegistryCode, vatNumberFormats } from './vat-number-formats.ts';
import { parseWrittenNumber } from './vat-number.ts';
import { hintOf, hintOfAnswer } from './hint.ts';
import { readRequesterText } from './requester.ts';

function hintFor(country: string, written: string, requester = ''): string | null {
  const read = parseWrittenNumber(country, written, registryCodes);
  if (read === undefined) throw new Error(`${country} ${written} can never be queried`);
  return hintOf(read, readRequesterText(requester));
}

/** Genuine numbers, and examples of authorities. Most were valid in VIES, or are published by their holders. */
const genuine: Readonly<Record<RegistryCode, string>> = {
  AT: 'U14189108 U37866403 U36801500 U15110001',
  BE: '0202239951 0417497106 0890082292 0477472701 1000341796',
  BG: '831642181 000695406 175074752 831902088 175201304 1226046182 7523169263',
  CY: '90000020C 10290930F 90001673W 99000230P',
  CZ: '45274649 00177041 27082440 699001182 7103192745',
  DE: '143454214 811569869 259582878 811115368 122268496',
  DK: '24256790 10150817 13612870 61056416 12719280',
  EE: '100070008 100130171 100000670',
  EL: '094019245 094014201 094259216 998908360',
  ES: 'A28015865 A15075062 B83891812 A39000013 Q2826000H G08266298 N8261290D 12345678Z X1234567L',
  FI: '01120389 02454583 20774740',
  FR: '40303265045 91110020013 10402571889 83404833048 64443061841 K7399859412 4Z123456782 53000004605',
  GB: '980780684 220430231',
  HR: '27759560625 81793146560 18683136487 33392005961',
  HU: '10625790 10773381 10537914 29312757',
  IE: '6388047V 3206488LH 8256796U 4749148U 6609370G 8F52100V 8D79739I',
  IT: '00905811006 00488410010 06363391001 06903461215',
  LT: '212154314 120296515 119511515 100001919017 100004801610',
  LU: '26375245 20260743 18513414',
  LV: '40003032949 90000069281 40003245752',
  MT: '12826209 12894031 17981218 18852233 11679112',
  NL: '854265259B01 803441526B01 805734958B01 803979988B01 000099998B57',
  PL: '7740001454 5260250274 5250007738',
  PT: '500697256 504499777 600084779 501613897',
  RO: '361579 1590082 14056826 13267213 14388698',
  SE: '556016068001 202100544801 556703748501',
  SI: '23348887 80040306 50223054',
  SK: '2020273893 2020317068 2020372640 7020000944 2020798395',
  XI: '220430231 GD001',
};

const genuineNumbers = Object.entries(genuine).flatMap(([country, numbers]) =>
  numbers.split(' ').map((number) => [country, number] as const),
);

describe('the hint of a genuine number (rule K3)', () => {
  it.each(genuineNumbers)(
    'is null, or “prefix removed” behind its country: %s %s',
    (country, number) => {
      expect(hintFor(country, number)).toBeNull();
      expect(hintFor(country, `${country} ${number}`)).toBe('prefix removed');
    },
  );
});

describe('the hint of a number with another check digit (rule K3)', () => {
  const wrong = `
    DE 123456789 8, DE 999999999 5, AT U12345678 5, AT U14189107 8, BE 0202239950 51, BE 1000341797 96,
    BG 831642180 1, CY 90000020D C, CZ 27082441 0, CZ 640903925 6, DK 13612871 0, EL 094019244 5, ES B83891813 2, ES B8389181J 2,
    ES Q2826000A H, ES X2482300A W, ES 54362315A K, FI 01120388 9, FR 41303265045 40, HU 10597191 0, IE 8F52100W V,
    IT 00905811007 6, LT 100001919018 7, LU 26375244 45, LV 40003032948 9, MT 12826208 09, NL 854265258B01 9,
    PL 7740001455 4, PT 500697257 6, RO 361578 9, SE 556016068101 0, SI 23348886 7, SK 2020273894 3,
    XI 220430232 31|73|86
  `;

  it.each(wrong.trim().split(/,\s*/))('names the right one: %s', (row) => {
    const [country = '', number = '', expected = ''] = row.split(' ');

    expect(hintFor(country, number)).toBe(
      `check digit: expected ${expected.replaceAll('|', ' or ')}`,
    );
  });

  it('names signs of which each makes the number right', () => {
    const number = fc.constantFrom(...registryCodes).chain((code) =>
      fc.record({
        code: fc.constant(code),
        number: fc.stringMatching(vatNumberFormats[code].form),
      }),
    );
    fc.assert(
      fc.property(number, ({ code, number }) => {
        const hint = hintFor(code, number);
        if (hint === null || hint === 'check digit does not match') return;
        expect(hint).toMatch(/^check digit: expected [0-9A-Z]{1,2}(?: or [0-9A-Z]{1,2})*$/);
        for (const signs of hint.replace('check digit: expected ', '').split(' or ')) {
          const repaired = Array.from(number.slice(signs.length - 1), (_, at) =>
            hintFor(code, number.slice(0, at) + signs + number.slice(at + signs.length)),
          );
          expect([code, number, signs, repaired]).toEqual([
            code,
            number,
            signs,
            expect.arrayContaining([null]),
          ]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['persons, foreigners and others in Bulgaria', 'BG', '7523169264', '3 or 5 or 7'],
    ['a company or a sole trader in the Netherlands', 'NL', '854265258B02', '9 or 76'],
  ])('names the signs of all algorithms: %s', (_, country, number, expected) => {
    expect(hintFor(country, number)).toBe(`check digit: expected ${expected}`);
  });

  it.each([
    ['Monaco, whose SIREN has no check digit', 'FR', '53000004605'],
    ['a Czech birth number of 9 digits', 'CZ', '525231123'],
    ['a Latvian person since 2017', 'LV', '32999999999'],
    ['a department in Northern Ireland', 'XI', 'GD001'],
    ['a health authority in Northern Ireland', 'XI', 'HA888850063'],
  ])('is null if no check digit is known: %s', (_, country, number) => {
    expect(hintFor(country, number)).toBeNull();
  });
});

describe('the hint of a number whose check digit cannot be right (rule K3)', () => {
  it.each([
    ['a French number whose key and SIREN are both wrong', 'FR', '00001010000'],
    ['a French SIREN that is wrong in a number with its key', 'FR', '23001010000'],
    ['a Danish number for which there is no check digit', 'DK', '10000050'],
    ['a Polish number for which there is no check digit', 'PL', '0000000030'],
    ['a French key with letters', 'FR', '0H384498897'],
    ['a French key with two letters', 'FR', 'AB303265045'],
    ['a French SIREN that is wrong behind a key with letters', 'FR', 'K7399859413'],
    ['a French SIREN behind its country', 'FR', 'FR391838042'],
    ['a French SIREN whose key may be FR', 'FR', 'FR100000108'],
    ['a German number for France', 'FR', 'DE811115368'],
    ['a Greek number for France', 'FR', 'GR094019245'],
    ['a Lithuanian number for France, with a right key', 'FR', 'LT100000033'],
    ['a Belgian number without its 0 for France', 'FR', 'BE417497106'],
    ['a Spanish number of persons that ends in a digit', 'ES', 'X65474207'],
    ['a Spanish number of residents abroad that ends in a digit', 'ES', 'K12345671'],
    ['a Spanish first letter that is not issued', 'ES', 'O2826000H'],
    ['a Spanish first letter that is not issued, with a digit', 'ES', 'T28015865'],
    ['a Spanish company that ends in a letter of persons', 'ES', 'B8389181Z'],
    ['an Irish check letter that does not exist', 'IE', '6388047X'],
    ['an Irish check letter that does not exist, in front of another', 'IE', '3206488ZH'],
    ['an Irish further letter that is not issued', 'IE', '3206488LN'],
    ['an Irish check letter of the old form that does not exist', 'IE', '8D79739Y'],
    ['a Czech first digit that is not issued', 'CZ', '95274649'],
    ['a Czech number of 9 digits without a day of birth', 'CZ', '529931123'],
    ['a number that is no health authority in Northern Ireland', 'XI', 'GD601'],
  ])('says that it does not match: %s', (_, country, number) => {
    expect(hintFor(country, number)).toBe('check digit does not match');
  });
});

describe('the hint of a number that cannot be one of its country (rule K3)', () => {
  it.each([
    ['a national number', 'HU', '12345676-2-41', '8 digits'],
    ['a national number with a branch', 'PL', '774-000-14-54-00', '10 digits'],
    ['an organisation number', 'SE', '556016-0680', '12 digits'],
    ['a tax number', 'DE', '21/815/08150', '9 digits'],
    ['a lost zero', 'IT', '1739710307', '11 digits'],
    ['a lost zero', 'FI', '2017244', '8 digits'],
    ['a lost zero', 'HR', '1234567896', '11 digits'],
    ['a decimal place', 'DE', '811115368.0', '9 digits'],
    ['an exponent', 'DE', '1.23457E+8', '9 digits'],
    ['an exponent with a comma', 'LV', '4,0003E+10', '11 digits'],
    ['a letter that is missing', 'AT', '12345675', 'U and 8 digits'],
    ['a letter that is missing', 'CY', '90000020', '8 digits and a letter'],
    ['a letter in place of a digit', 'DE', 'DE8111I5368', '9 digits'],
    ['another country’s prefix', 'DE', 'ATU14189108', '9 digits'],
  ])('names the form: %s %s %s', (_, country, number, words) => {
    expect(hintFor(country, number)).toBe(`form: expected ${words}`);
  });

  it.each([
    ['DE', 'DE123456789-EX'],
    ['NL', '999999901EX'],
  ])('names the scheme of small enterprises: %s %s', (country, number) => {
    expect(hintFor(country, number)).toBe(
      'number of the small-enterprise scheme (EX): not in VIES',
    );
  });
});

describe('the hint about a requester (rule K3)', () => {
  const customer = ['ES', 'ESB83891812'] as const;

  it.each([
    ["requester's own number", 'ESB83891812'],
    ['requester and customer are of the same Member State', 'ESA28015865'],
    ['requester form: expected U and 8 digits', 'AT 12345675'],
    ['requester and customer are of the same Member State', 'ES 1234'],
    ['requester form: expected 2 characters and 9 digits', 'FR391838042'],
    ['requester check digit: expected 8', 'DE811115367'],
    ['requester check digit: expected 9 or 76', 'NL854265258B02'],
    ['requester check digit: expected 5', 'ESA28015866'],
    ['requester check digit does not match', 'FR0H384498897'],
    ['requester check digit does not match', 'IE6388047X'],
    ["requester's own number", '(ES) b-8389181.2'],
    ['prefix removed', 'CZ525231123'],
    ['prefix removed', 'ATU14189108'],
    ['prefix removed', 'EU372012345'],
    ['prefix removed', ''],
  ])('is “%s” for %s', (hint, requester) => {
    expect(hintFor(...customer, requester)).toBe(hint);
  });

  it('comes after doubts about the number', () => {
    expect(hintFor('DE', '12345678', 'DE811115368')).toBe('form: expected 9 digits');
    expect(hintFor('DE', '811115367', 'DE811115367')).toBe('check digit: expected 8');
  });

  const none = { registry: 'vies', hasRequester: true, consultationNumber: null } as const;
  it.each([
    [
      'prefix removed',
      none,
      'no consultation number: the registry may not have accepted the requester',
    ],
    [null, none, 'no consultation number: the registry may not have accepted the requester'],
    ['form: expected 9 digits', none, 'form: expected 9 digits'],
    ['prefix removed', { ...none, hasRequester: false }, 'prefix removed'],
    [null, { ...none, consultationNumber: 'WAPI' }, null],
    [null, { ...none, registry: 'hmrc' } as const, null],
  ])('after an answer, %j with %j becomes %j', (hint, answer, expected) => {
    expect(hintOfAnswer(hint, answer)).toBe(expected);
  });
});

describe('the hint of a number that is not queried as written (rule K3)', () => {
  it.each([
    ['BE', '202239951', 'leading 0 added'],
    ['EL', '94019245', 'leading 0 added'],
    ['BE', 'BE 0202.239.951', 'prefix removed'],
    ['GR', 'GR094019245', 'prefix removed'],
    ['XI', 'GB220430231', 'prefix removed'],
    ['ES', 'ESB83891812', 'prefix removed'],
    ['NL', 'NL4495445B01', 'leading 0 added'],
    ['DE', 'DE811115368-00001', 'W-IdNr read as VAT number'],
  ])('names what was done to %s %s', (country, number, hint) => {
    expect(hintFor(country, number)).toBe(hint);
  });

  it.each([
    ['an added 0 before a prefix', 'BE', 'BE202239951', 'leading 0 added'],
    ['a check digit before a prefix', 'DE', 'DE123456789', 'check digit: expected 8'],
    ['a check digit before an added 0', 'BE', '202239950', 'check digit: expected 51'],
    ['a check digit before both', 'GR', 'EL94019244', 'check digit: expected 5'],
  ])('names %s', (_, country, number, hint) => {
    expect(hintFor(country, number)).toBe(hint);
  });
});
