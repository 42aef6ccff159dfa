import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anySnapshot, canonicalDecimal } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time.ts';
import type { CountryCode } from './member-states.ts';
import { parseSnapshot, printSnapshot, type RateSnapshot, sortRates } from './snapshot.ts';

const flags = 'https://flags.example';
const country = (code: string): CountryCode => code as CountryCode;

const snapshot: RateSnapshot = {
  version: isoDate('2025-12-31'),
  entries: [
    {
      country: country('BG'),
      standard: '20',
      reduced: ['9'],
      superReduced: undefined,
      parking: undefined,
    },
    {
      country: country('DK'),
      standard: '25',
      reduced: [],
      superReduced: undefined,
      parking: undefined,
    },
    {
      country: country('GR'),
      standard: '24',
      reduced: ['6', '13'],
      superReduced: '4',
      parking: '13',
    },
  ],
};

describe('printSnapshot (interface 2.1)', () => {
  it('prints the exact bytes of the answer', () => {
    expect(printSnapshot(snapshot, flags)).toBe(
      '{"version":"2025-12-31",' +
        '"source":"Taxes in Europe Database (TEDB), European Commission",' +
        '"rates":{' +
        '"BG":{"country":"Bulgaria","currency":"BGN","flag":"https://flags.example/bg.svg",' +
        '"standard":20,"reduced":[9],"super_reduced":null,"parking":null},' +
        '"DK":{"country":"Denmark","currency":"DKK","flag":"https://flags.example/dk.svg",' +
        '"standard":25,"reduced":[],"super_reduced":null,"parking":null},' +
        '"GR":{"country":"Greece","currency":"EUR","flag":"https://flags.example/gr.svg",' +
        '"standard":24,"reduced":[6,13],"super_reduced":4,"parking":13}}}',
    );
  });

  it('gives each country the currency of the snapshot’s date (contract C14)', () => {
    const later = { ...snapshot, version: isoDate('2026-01-01') };

    expect(JSON.parse(printSnapshot(later, flags)).rates.BG.currency).toBe('EUR');
  });

  it('prints a rate with all of its digits (contract C11)', () => {
    const [entry] = snapshot.entries;
    const exact = { ...snapshot, entries: [{ ...entry, standard: '25.123456789012345' }] };

    expect(printSnapshot(exact as RateSnapshot, flags)).toContain('"standard":25.123456789012345,');
  });
});

describe('parseSnapshot', () => {
  it('returns the snapshot that was printed', () => {
    fc.assert(
      fc.property(anySnapshot, (any) => {
        expect(parseSnapshot(printSnapshot(any, flags))).toEqual(any);
      }),
    );
  });

  it.each([
    [
      'an unknown country',
      '{"version":"2026-01-01","rates":{"GB":{}}}',
      'snapshot 2026-01-01: unknown country GB',
    ],
    ['a date that does not exist', '{"version":"2026-02-30","rates":{}}', 'not a calendar date'],
    ['no JSON', 'oops', 'JSON'],
  ])('throws for %s', (_, body, message) => {
    expect(() => parseSnapshot(body)).toThrow(message);
  });
});

describe('sortRates', () => {
  it.each([
    ['by value, not by text', ['13', '5', '5.5'], ['5', '5.5', '13']],
    ['without repetition', ['7', '7'], ['7']],
    ['of nothing', [], []],
  ])('sorts %s', (_, given, expected) => {
    expect(sortRates(given)).toEqual(expected);
  });

  it('returns the same list if it is repeated or the input has another order', () => {
    fc.assert(
      fc.property(fc.array(canonicalDecimal), (values) => {
        const sorted = sortRates(values);
        expect(sortRates(sorted)).toEqual(sorted);
        expect(sortRates(values.toReversed())).toEqual(sorted);
      }),
    );
  });
});
