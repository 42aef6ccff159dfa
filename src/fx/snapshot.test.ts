import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFxSnapshot } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time/time.ts';
import {
  compareSnapshots,
  type CurrencyCode,
  type FxSnapshot,
  parseCurrencyCode,
  parseSnapshot,
  printSnapshot,
} from './snapshot.ts';

function of(rates: Readonly<Record<string, string>>, date = '2026-11-20'): FxSnapshot {
  return { date: isoDate(date), rates: new Map(Object.entries(rates) as [CurrencyCode, string][]) };
}

it('a publication is printed in the exact bytes of the answer, by currency (interface 2.3, contract C11)', () => {
  expect(printSnapshot(of({ USD: '1.179', TRL: '1912400', LVL: '0.702804123456789' }))).toBe(
    '{"date":"2026-11-20","base":"EUR","rates":{"LVL":0.702804123456789,"TRL":1912400,"USD":1.179}}',
  );
});

it('a printed publication is read as it was, and its currencies may be in any order', () => {
  fc.assert(
    fc.property(anyFxSnapshot, (snapshot) => {
      const rates = new Map([...snapshot.rates].toReversed());
      expect(parseSnapshot(printSnapshot(snapshot))).toEqual(snapshot);
      expect(printSnapshot({ ...snapshot, rates })).toBe(printSnapshot(snapshot));
    }),
  );
});

it.each([
  ['{"date":"2026-02-30","base":"EUR","rates":{}}', /not a calendar date/],
  ['{"date":"2026-11-20","base":"EUR","rates":{"USD":1.1', /^not a stored publication/],
  ['{"date":"2026-11-20","base":"EUR","rates":{"USD":"1.1"}}', /^not a rate of a stored/],
  ['{"date":"2026-11-20","base":"EUR","rates":{"usd":1.1}}', /^not a /],
  ['{"date":"2026-11-20","base":"EUR","rates":{"USD":1.1,}}', /^not a /],
])('the body %s is refused', (body, message) => {
  expect(() => parseSnapshot(body)).toThrow(message);
});

it('a currency code is three capitals', () => {
  expect(parseCurrencyCode('USD')).toBe('USD');
  for (const text of ['', 'usd', 'US', 'USDX', 'U1D', 'ÄÖÜ', 'USD\n']) {
    expect([text, parseCurrencyCode(text)]).toEqual([text, undefined]);
  }
});

it('the differences to the upstream are listed by currency (contract C20)', () => {
  const stored = of({ USD: '1.17', NOK: '11.8529', RUB: '90' });
  const upstream = of({ USD: '1.17', NOK: '11.5829', ISK: '143.2' });

  expect(compareSnapshots(stored, upstream)).toEqual([
    { currency: 'ISK', stored: null, upstream: '143.2' },
    { currency: 'NOK', stored: '11.8529', upstream: '11.5829' },
    { currency: 'RUB', stored: '90', upstream: null },
  ]);
});
