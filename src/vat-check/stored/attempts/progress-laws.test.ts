import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answered, down } from '../../../../test/vat-check/support/attempts.ts';
import type { Answer } from '../../registries/outcome.ts';
import { advance, type Attempt, beginCheck, type Pending, type Progress } from './progress.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

describe('any sequence of attempts (rules K6, K8 and K9)', () => {
  const outcomes = fc.constantFrom<Attempt<Answer>['outcome']>(
    down,
    down,
    { kind: 'timedOut' },
    { kind: 'failed', failure: 'unreachable' },
    { kind: 'serviceUnavailable', because: 'throttled' },
    answered(true),
    answered(false),
    { kind: 'rejected' },
    { kind: 'requesterRejected' },
  );
  const attempts = fc.record({
    outcome: outcomes,
    lateMs: fc.nat(2 * hourMs),
    tookMs: fc.nat(15 * secondMs),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    faultedMsAgo: fc.option(fc.nat(20 * minuteMs), { nil: undefined }),
  });

  it('ends once, only by what the registry said, and false only if it was said twice near an outage', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 24 }),
        fc.array(attempts, { maxLength: 60 }),
        (hours, made) => {
          let check: Progress<Answer> = beginCheck(now, hours);
          let clock = now;
          let falseAt: number | undefined;
          for (const { outcome, lateMs, tookMs, random, faultedMsAgo } of made) {
            if (check.status !== 'pending' || check.nextAttemptAt === undefined) break;
            const before: Pending = check;
            expect(check.nextAttemptAt).toBeGreaterThanOrEqual(clock);
            expect(check.nextAttemptAt).toBeLessThan(check.expiresAt);
            const startedAt: number = check.nextAttemptAt + lateMs;
            const endedAt = startedAt + tookMs;
            const stateFaultedAt = faultedMsAgo === undefined ? undefined : endedAt - faultedMsAgo;
            check = advance(check, { outcome, startedAt, endedAt, random, stateFaultedAt });
            clock = endedAt;

            const isNear = (faultedMsAgo ?? Infinity) <= 10 * minuteMs;
            const isConfirmed = falseAt !== undefined && startedAt - falseAt >= minuteMs;
            expect(check.attempts).toBe(before.attempts + 1);
            expect(mayFollow(before, check, outcome)).toBe(true);
            expect(isFalse(check) && isNear && !isConfirmed).toBe(false);
            if (outcome.kind === 'answered' && !outcome.answer.valid) falseAt ??= endedAt;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  function isFalse(check: Progress<Answer>): boolean {
    return check.status === 'answered' && !check.answer.valid;
  }

  /** Whether an attempt with this outcome may lead to the new progress. */
  function mayFollow(
    before: Pending,
    check: Progress<Answer>,
    outcome: Attempt<Answer>['outcome'],
  ): boolean {
    switch (check.status) {
      case 'pending':
        return check.expiresAt === before.expiresAt;
      case 'answered':
        return outcome.kind === 'answered' && outcome.answer === check.answer;
      case 'rejected':
        return outcome.kind === (check.refused === 'number' ? 'rejected' : 'requesterRejected');
      case 'expired':
        return false;
    }
  }
});
