import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseDecimal } from '../../platform/values/decimal.ts';
import { rateHistory } from './vat-rates.ts';
import { capturedFolder, hasCaptured } from '../../../test/support/sandbox/upstream-reader.ts';

describe.skipIf(!hasCaptured)(
  'rateHistory beside the intervals read from the real database',
  () => {
    const captured = hasCaptured ? readIntervals() : [];

    it.each(captured)('is the same for %s', (state, intervals) => {
      expect(sorted(rateHistory[state] ?? [])).toEqual(sorted(intervals));
    });
  },
);

function sorted(intervals: readonly (readonly (string | undefined)[])[]): readonly string[] {
  return intervals.map((interval) => interval.join(' ')).sort();
}

function readIntervals(): readonly (readonly [string, readonly (readonly string[])[]])[] {
  const file = `${capturedFolder}/tedb/national-rate-intervals_2016-2026.json`;
  const { countries } = JSON.parse(readFileSync(file, 'utf8')) as {
    countries: Record<string, { standard: CapturedInterval[]; reduced: CapturedInterval[] }>;
  };
  return Object.entries(countries).map(([state, { standard, reduced }]) => [
    state,
    [...standard, ...reduced].map((one) => [
      fields[one.class ?? 'STANDARD'],
      parseDecimal(one.percent) ?? '',
      one.from,
      ...(one.to === null ? [] : [one.to]),
    ]),
  ]);
}

interface CapturedInterval {
  readonly percent: string;
  readonly class?: 'REDUCED' | 'SUPER_REDUCED' | 'PARKING';
  readonly from: string;
  readonly to: string | null;
}

const fields = {
  STANDARD: 'standard',
  REDUCED: 'reduced',
  SUPER_REDUCED: 'super_reduced',
  PARKING: 'parking',
} as const;
