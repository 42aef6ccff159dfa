import { expect, it } from 'vitest';
import { isoDate } from '../platform/time/time.ts';
import {
  type CountryCode,
  currencyOn,
  memberState,
  memberStates,
  parseCountryCode,
} from './member-states.ts';

it('has the 27 with common names, and a registry code of its own only for Greece (contract C14)', () => {
  const others = memberStates.filter(({ country, registryCode }) => country !== registryCode);
  const names = Object.fromEntries(memberStates.map(({ country, name }) => [country, name]));

  expect(Object.keys(names).join(' ')).toBe(
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
  );
  expect(others).toMatchObject([{ country: 'GR', registryCode: 'EL', name: 'Greece' }]);
  expect(names).toMatchObject({ CZ: 'Czechia', NL: 'Netherlands', SK: 'Slovakia' });
  expect(new Set(Object.values(names)).size).toBe(27);
});

it.each([
  ['2022-12-31', 'BG BGN, CZ CZK, DK DKK, HR HRK, HU HUF, PL PLN, RO RON, SE SEK'],
  ['2023-01-01', 'BG BGN, CZ CZK, DK DKK, HU HUF, PL PLN, RO RON, SE SEK'],
  ['2025-12-31', 'BG BGN, CZ CZK, DK DKK, HU HUF, PL PLN, RO RON, SE SEK'],
  ['2026-01-01', 'CZ CZK, DK DKK, HU HUF, PL PLN, RO RON, SE SEK'],
])('on %s the currencies but the euro are %s (contract C14)', (date, others) => {
  const currencies = memberStates.map(({ country }) =>
    [country, currencyOn(country, isoDate(date))].join(' '),
  );

  expect(currencies.filter((one) => !one.endsWith('EUR')).join(', ')).toBe(others);
});

it('knows a Member State by its country code, and no other code', () => {
  expect(parseCountryCode('GR')).toBe('GR');
  for (const code of ['EL', 'gr', 'GB', 'XI', '']) {
    expect(parseCountryCode(code)).toBeUndefined();
    expect(() => memberState(code as CountryCode)).toThrow(`not a Member State: ${code}`);
  }
});
