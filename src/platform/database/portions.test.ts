import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inPortions } from './portions.ts';

it('inPortions lets other work run between two portions, and ends after the last', async () => {
  const order: string[] = [];
  const other = setImmediate().then(() => order.push('other work'));

  await inPortions(async () => order.push('portion') < 3);
  await other;

  expect(order).toEqual(['portion', 'other work', 'portion']);
});
