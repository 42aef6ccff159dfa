import { describe, expect, it } from 'vitest';

import { memberStates } from '../data/vat-rates.ts';
import { findTrader } from './registry.ts';
import { initialVies } from '../scenario/vies-state.ts';
import { traders, viesStates } from '../data/traders.ts';

/** The national formats, from the Commission's questions and answers on VIES. */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?!\d{9}$)[0-9A-Z]\d{7}[0-9A-Z]$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[0-9A-Z+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{10}01$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** The layout of addresses that are unusual. */
const layouts: Readonly<Record<string, RegExp>> = {
  BG: /^(ул|бул)\. [\p{Script=Cyrillic} №0-9.,]+$/u,
  CZ: /^.+\n.+\n\d{3} \d{2} {2}.+$/,
  DE: /^---$/,
  EL: /^\p{Script=Greek}+ \d+ \n\d{5} - \p{Script=Greek}+$/u,
  ES: /^---$/,
  IE: /^[^\n]+, [^\n]+$/,
  IT: /^[^\n]+ \n\d{5} [A-Z]+ [A-Z]{2}\n$/,
  LU: /^\d+, [^\n]+\nL-\d{4} {2}[^\n]+$/,
  NL: /^\n[A-Z]+ \d{5}( [A-Z])?\n\d{4}[A-Z]{2} [A-Z]+\n$/,
};

describe('the registered traders', () => {
  it('include some of every Member State and of Northern Ireland', () => {
    expect(viesStates.toSorted()).toEqual([...memberStates, 'XI'].toSorted());
    for (const state of viesStates) {
      const count = traders.filter(({ country }) => country === state).length;
      expect(count).toBeGreaterThanOrEqual(2);
    }
  });

  it.each(traders)('writes $country $number in the national format', ({ country, number }) => {
    expect(number).toMatch(formats[country] ?? /^$/);
    expect(number).toMatch(/^[0-9A-Za-z+*.]{2,12}$/);
  });

  it.each(traders.filter(({ country }) => country in layouts))(
    'lays out the address of $country $number like its registry',
    ({ country, address }) => {
      expect(address).toMatch(layouts[country] ?? /^$/);
    },
  );

  it('withholds the names of Germany and Spain only', () => {
    const withheld = traders.filter(({ name, address }) => name === '---' || address === '---');

    expect(new Set(withheld.map(({ country }) => country))).toEqual(new Set(['DE', 'ES']));
    expect(withheld.length).toBe(
      traders.filter(({ country }) => country === 'DE' || country === 'ES').length,
    );
  });

  it.each([
    ['characters that XML has to escape', /&/],
    ['quotation marks', /"/],
    ['Greek letters', /\p{Script=Greek}/u],
    ['Cyrillic letters', /\p{Script=Cyrillic}/u],
    ['Latin letters beyond Latin-1', /[šůŁėā]/],
  ])('holds names with %s', (_, sign) => {
    expect(traders.map(({ name }) => name).join()).toMatch(sign);
  });

  it('has no number twice', () => {
    const keys = traders.map(({ country, number }) => `${country}${number}`);

    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('findTrader', () => {
  it('finds a number in any letter case', () => {
    const asked = findTrader(initialVies, { country: 'AT', number: 'u99999901' });

    expect(asked).toMatchObject({ country: 'AT', number: 'U99999901' });
  });

  it('finds no trader with the number of another Member State', () => {
    expect(findTrader(initialVies, { country: 'DE', number: 'U99999901' })).toBeUndefined();
  });
});
