import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inPortions, mapPortions } from './portions.ts';

it('inPortions lets other work run between two portions, and ends after the last', async () => {
  const order: string[] = [];
  const other = setImmediate().then(() => order.push('other work'));

  await inPortions(async () => order.push('portion') < 3);
  await other;

  expect(order).toEqual(['portion', 'other work', 'portion']);
});

it.each([
  [0, []],
  [1, [1]],
  [4, [2, 2]],
  [5, [2, 2, 1]],
])('mapPortions cuts %d rows into portions of 2, and keeps the order', async (count, sizes) => {
  const rows = Array.from({ length: count }, (_, n) => n);
  const portions: number[] = [];

  const results = await mapPortions(rows, 2, (portion) => {
    portions.push(portion.length);
    return portion.map((row) => row * 10);
  });

  expect(portions).toEqual(sizes);
  expect(results).toEqual(rows.map((row) => row * 10));
});
