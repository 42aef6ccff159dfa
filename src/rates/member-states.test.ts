import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time.ts';
import {
  type CountryCode,
  currencyOn,
  memberState,
  memberStates,
  parseCountryCode,
} from './member-states.ts';

const gr = 'GR' as CountryCode;

describe('memberStates (contract C14)', () => {
  it('are the 27, by country code', () => {
    const codes = memberStates.map(({ country }) => country);

    expect(codes.join(' ')).toBe(
      'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
    );
  });

  it('have a different registry code only for Greece', () => {
    const others = memberStates.filter(({ country, registryCode }) => country !== registryCode);

    expect(others).toMatchObject([{ country: 'GR', registryCode: 'EL', name: 'Greece' }]);
  });

  it('have common English names', () => {
    const names = Object.fromEntries(memberStates.map(({ country, name }) => [country, name]));

    expect(names).toMatchObject({ CZ: 'Czechia', NL: 'Netherlands', SK: 'Slovakia' });
    expect(new Set(Object.values(names)).size).toBe(27);
  });
});

describe('currencyOn (contract C14)', () => {
  it.each([
    ['HR', '2022-12-31', 'HRK'],
    ['HR', '2023-01-01', 'EUR'],
    ['BG', '2025-12-31', 'BGN'],
    ['BG', '2026-01-01', 'EUR'],
    ['DE', '2016-01-01', 'EUR'],
    ['CZ', '2026-11-20', 'CZK'],
    ['DK', '2026-11-20', 'DKK'],
    ['HU', '2026-11-20', 'HUF'],
    ['PL', '2026-11-20', 'PLN'],
    ['RO', '2026-11-20', 'RON'],
    ['SE', '2026-11-20', 'SEK'],
  ])('returns for %s on %s the currency %s', (country, date, currency) => {
    expect(currencyOn(country as CountryCode, isoDate(date))).toBe(currency);
  });

  it('returns the euro for all but six on 2026-11-20', () => {
    const currencies = memberStates.map((m) => currencyOn(m.country, isoDate('2026-11-20')));

    expect(currencies.filter((currency) => currency === 'EUR')).toHaveLength(21);
  });
});

describe('parseCountryCode and memberState', () => {
  it('know a Member State by its country code', () => {
    expect(parseCountryCode('GR')).toBe('GR');
    expect(memberState(gr).name).toBe('Greece');
  });

  it.each(['EL', 'gr', 'GB', 'XI', ''])('reject %j', (code) => {
    expect(parseCountryCode(code)).toBeUndefined();
    expect(() => memberState(code as CountryCode)).toThrow(`not a Member State: ${code}`);
  });
});
