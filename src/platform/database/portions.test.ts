import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inPortions, mapPortions } from './portions.ts';

describe('inPortions', () => {
  it('ends after the first portion that none follows', async () => {
    const follows = [true, true, false, true];

    await inPortions(async () => follows.shift() === true);

    expect(follows).toEqual([true]);
  });

  it('lets other work run between two portions', async () => {
    const order: string[] = [];
    const other = setImmediate().then(() => order.push('other work'));

    await inPortions(async () => order.push('portion') < 3);
    await other;

    expect(order).toEqual(['portion', 'other work', 'portion']);
  });
});

describe('mapPortions', () => {
  it.each([
    [[], []],
    [[1], [[1]]],
    [
      [1, 2, 3, 4],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      [1, 2, 3],
      [[1, 2], [3]],
    ],
  ])('cuts %j into portions of 2, and keeps the order', async (rows, expected) => {
    const portions: (readonly number[])[] = [];

    const results = await mapPortions(rows, 2, (portion) => {
      portions.push(portion);
      return portion.map((row) => row * 10);
    });

    expect(portions).toEqual(expected);
    expect(results).toEqual(rows.map((row) => row * 10));
  });
});
