import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shuffled, unitNoise, wordHash } from './noise.ts';

describe('wordHash', () => {
  it('never changes, because the generated series depends on it', () => {
    expect(wordHash('USD', 10185)).toBe(1_142_828_426);
  });
});

describe('unitNoise', () => {
  it('spreads evenly from -1 to 1', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => unitNoise('USD', index));

    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...values)).toBeLessThanOrEqual(1);
    expect(values.filter((value) => Math.abs(value) < 0.5).length / values.length).toBeCloseTo(
      0.5,
      1,
    );
  });
});

describe('shuffled', () => {
  it('keeps every item and depends only on the seed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
        expect(shuffled(items, seed).toSorted(byValue)).toEqual(items.toSorted(byValue));
        expect(shuffled(items, seed)).toEqual(shuffled(items, seed));
      }),
    );
  });
});

function byValue(a: number, b: number): number {
  return a - b;
}
