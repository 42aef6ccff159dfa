import { expect, it } from 'vitest';
import { RetryBudget } from './retry-budget.ts';

/** The retries that are left after so many calls, from a new budget or from one that was used up. */
function retriesAfter(calls: number, isUsedUp: boolean): number {
  const budget = new RetryBudget();
  if (isUsedUp) spendAll(budget);
  for (let call = 0; call < calls; call += 1) budget.earn();
  return spendAll(budget);
}

function spendAll(budget: RetryBudget): number {
  let spent = 0;
  while (budget.spend()) spent += 1;
  return spent;
}

it('has 10 retries, gets one back for ten calls, and never has more than 10 (contract C24)', () => {
  expect([0, 1_000].map((calls) => retriesAfter(calls, false))).toEqual([10, 10]);
  const afterUse = [0, 9, 10, 19, 99, 100, 1_000].map((calls) => retriesAfter(calls, true));
  expect(afterUse).toEqual([0, 0, 1, 1, 9, 10, 10]);
});
