import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inPortions } from './portions.ts';

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
