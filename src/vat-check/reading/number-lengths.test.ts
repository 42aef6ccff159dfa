import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vatNumberFormats, viesCodes } from '../numbers/vat-number-formats.ts';
import { lengthsOf } from './number-lengths.ts';

const registries = viesCodes;

describe('lengthsOf', () => {
  it.each(registries)('has the length of each number of %s, and no other', (registry) => {
    const seen = new Set<number>();
    fc.assert(
      fc.property(fc.stringMatching(vatNumberFormats[registry].form), (number) => {
        seen.add(number.length);
      }),
      { numRuns: 300 },
    );

    expect(lengthsOf(registry)).toEqual([...seen].toSorted((a, b) => a - b));
  });
});
