import fc from 'fast-check';
import type { CurrencyCode, FxSnapshot } from '../../src/fx/snapshot.ts';
import { type CountryCode, memberStates } from '../../src/rates/member-states.ts';
import { type RateEntry, type RateSnapshot, sortRates } from '../../src/rates/snapshot.ts';
import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';

/** Every calendar date of the years 1 to 9999. */
export const anyDate: fc.Arbitrary<IsoDate> = fc
  .integer({ min: 0, max: 3_652_058 })
  .map((days) => addDays(isoDate('0001-01-01'), days));

/** Moments from 1999 to 2060, in milliseconds. */
export const anyMoment: fc.Arbitrary<number> = fc.integer({
  min: Date.parse('1999-01-04T00:00:00Z'),
  max: Date.parse('2060-01-01T00:00:00Z'),
});

/** Canonical decimals: without superfluous zeros. */
export const canonicalDecimal: fc.Arbitrary<string> = fc
  .tuple(fc.stringMatching(/^(0|[1-9][0-9]{0,14})$/), fc.stringMatching(/^([0-9]{0,14}[1-9])?$/))
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`));

/** Rates as Member States have them: hundredths of points up to 30. */
export const anyRate: fc.Arbitrary<string> = fc
  .integer({ min: 1, max: 3_000 })
  .map((hundredths) => String(hundredths / 100));

export const anyEntry = (country: CountryCode): fc.Arbitrary<RateEntry> =>
  fc.record({
    country: fc.constant(country),
    standard: anyRate,
    reduced: fc.array(anyRate, { maxLength: 4 }).map(sortRates),
    superReduced: fc.option(anyRate, { nil: undefined }),
    parking: fc.option(anyRate, { nil: undefined }),
  });

/** Any subset of the Member States, in their order, with any rates. */
export const anyEntries: fc.Arbitrary<readonly RateEntry[]> = fc
  .subarray([...memberStates])
  .chain((states) => fc.tuple(...states.map(({ country }) => anyEntry(country))));

export const anySnapshot: fc.Arbitrary<RateSnapshot> = fc.record({
  version: anyDate,
  entries: anyEntries,
});

/** Some currencies with any values. */
export const anyFxSnapshot: fc.Arbitrary<FxSnapshot> = fc.record({
  date: anyDate,
  rates: fc
    .dictionary(
      fc.constantFrom('AUD', 'CHF', 'ISK', 'JPY', 'NOK', 'USD', 'ZAR'),
      canonicalDecimal,
      {
        noNullPrototype: true,
      },
    )
    .map((rates) => new Map(Object.entries(rates) as [CurrencyCode, string][])),
});
