import type { StoredCheck } from '../wire.ts';
import { differingFields } from './check-words.ts';

/** The results of checks in the order of summaries, each with its name. */
const names = {
  valid: 'valid',
  differing: 'valid with data that does not match',
  invalid: 'not registered',
  rejected: 'refused',
  expired: 'without an answer in time',
  pending: 'pending',
} as const;

export type Result = keyof typeof names;

export function resultOf(check: StoredCheck): Result {
  if (check.status !== 'answered') return check.status;
  if (!check.valid) return 'invalid';
  return differingFields(check).length > 0 ? 'differing' : 'valid';
}

/** The results that checks have, in the order of summaries. */
export function countResults(
  checks: readonly StoredCheck[],
): readonly { readonly result: Result; readonly name: string; readonly count: number }[] {
  const entries = Object.entries(names) as readonly [Result, string][];
  return entries
    .map(([result, name]) => {
      const count = checks.filter((check) => resultOf(check) === result).length;
      return { result, name, count };
    })
    .filter(({ count }) => count > 0);
}

/** “40 valid, 2 not registered, 8 pending”: the checks by their results. */
export function summariseChecks(checks: readonly StoredCheck[]): string {
  return countResults(checks)
    .map(({ name, count }) => `${count} ${name}`)
    .join(', ');
}
