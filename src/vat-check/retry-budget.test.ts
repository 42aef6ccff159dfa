import { describe, expect, it } from 'vitest';
import { RetryBudget } from './retry-budget.ts';

function spendAll(budget: RetryBudget): number {
  let spent = 0;
  while (spent < 1_000 && budget.spend()) spent += 1;
  return spent;
}

describe('RetryBudget (contract C24)', () => {
  it('has 10 retries to begin with', () => {
    expect(spendAll(new RetryBudget())).toBe(10);
  });

  it('allows no retry after these', () => {
    const budget = new RetryBudget();
    spendAll(budget);

    expect([budget.spend(), budget.spend()]).toEqual([false, false]);
  });

  it.each([
    [9, 0],
    [10, 1],
    [19, 1],
    [20, 2],
    [99, 9],
    [100, 10],
    [1_000, 10],
  ])('allows after %i calls %i more: one in ten, and never more than 10', (calls, retries) => {
    const budget = new RetryBudget();
    spendAll(budget);

    for (let call = 0; call < calls; call += 1) budget.earn();

    expect(spendAll(budget)).toBe(retries);
  });

  it('does not save more than 10 from the start', () => {
    const budget = new RetryBudget();

    for (let call = 0; call < 1_000; call += 1) budget.earn();

    expect(spendAll(budget)).toBe(10);
  });
});
