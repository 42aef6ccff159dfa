import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anySnapshot, canonicalDecimal } from '../../test/support/arbitraries.ts';
import { isoDate } from '../platform/time/time.ts';
import { parseSnapshot, printSnapshot, type RateSnapshot, sortRates } from './snapshot.ts';

const flags = 'https://flags.example';
const country = (code: string, standard: string, reduced: string[], others: string[] = []) => ({
  country: code,
  standard,
  reduced,
  superReduced: others[0],
  parking: others[1],
});
const snapshot = {
  version: isoDate('2025-12-31'),
  entries: [
    country('BG', '20.123456789012345', ['9']),
    country('DK', '25', []),
    country('GR', '24', ['6', '13'], ['4', '13']),
  ],
} as unknown as RateSnapshot;

it('a snapshot is printed in the exact bytes of the answer (interface 2.1, contract C11)', () => {
  expect(printSnapshot(snapshot, flags)).toBe(
    '{"version":"2025-12-31",' +
      '"source":"Taxes in Europe Database (TEDB), European Commission",' +
      '"rates":{' +
      '"BG":{"country":"Bulgaria","currency":"BGN","flag":"https://flags.example/bg.svg",' +
      '"standard":20.123456789012345,"reduced":[9],"super_reduced":null,"parking":null},' +
      '"DK":{"country":"Denmark","currency":"DKK","flag":"https://flags.example/dk.svg",' +
      '"standard":25,"reduced":[],"super_reduced":null,"parking":null},' +
      '"GR":{"country":"Greece","currency":"EUR","flag":"https://flags.example/gr.svg",' +
      '"standard":24,"reduced":[6,13],"super_reduced":4,"parking":13}}}',
  );
});

it('a printed snapshot is read as it was', () => {
  fc.assert(
    fc.property(anySnapshot, (any) => {
      expect(parseSnapshot(printSnapshot(any, flags))).toEqual(any);
    }),
  );
});

it.each([
  ['{"version":"2026-01-01","rates":{"GB":{}}}', 'snapshot 2026-01-01: unknown country GB'],
  ['{"version":"2026-02-30","rates":{}}', 'not a calendar date'],
  ['oops', 'JSON'],
])('the snapshot %s is refused', (body, message) => {
  expect(() => parseSnapshot(body)).toThrow(message);
});

it('rates are sorted by value, without repetition, whatever their order', () => {
  expect(sortRates(['13', '5', '5.5', '5'])).toEqual(['5', '5.5', '13']);
  fc.assert(
    fc.property(fc.array(canonicalDecimal), (values) => {
      const sorted = sortRates(values);
      expect(sortRates(sorted)).toEqual(sorted);
      expect(sortRates(values.toReversed())).toEqual(sorted);
    }),
  );
});
