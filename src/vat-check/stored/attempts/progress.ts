import type { Registry } from '../../registries/registry.ts';
import type { Answer, Outcome, RequesterRejected, Unanswered } from '../../registries/outcome.ts';
import { delayAfterFailureMs, delayBeforeConfirmationMs } from './attempt-schedule.ts';

/**
 * The progress of a stored check (rules K6, K8 and K9).
 *
 *   pending → answered   the registry has answered; a false answer near an outage only when it is confirmed
 *   pending → rejected   the registry refuses the number or the requester, or its firewall the text of the trader
 *   pending → expired    no answer until `expiresAt`
 *
 * A check that has ended never changes: `advance` and `expire` take pending checks only. An attempt expires nothing, because
 * the clock may be wrong: `expire` is called while it is trusted. An answer that arrives after `expiresAt` still counts.
 * Moments are epoch milliseconds.
 */
export type Progress<A extends Answer> = Pending | Ended<A>;

export type Pending = {
  readonly status: 'pending';
  /** Queries that the registry answered, and queries that failed. */
  readonly attempts: number;
  /** The reason why the newest attempt gave no answer; undefined if it gave one, or if there was none. */
  readonly failure: Unanswered | undefined;
  /** How often the registry's firewall refused the text, and nothing else (rule K21a). */
  readonly textRefusals: number;
  /** The end of an attempt with a false answer that is not confirmed yet. */
  readonly unconfirmedFalseAt: number | undefined;
  /** Undefined if the next attempt would be due at `expiresAt` or later. */
  readonly nextAttemptAt: number | undefined;
  readonly expiresAt: number;
};

export type Ended<A extends Answer> = { readonly attempts: number; readonly endedAt: number } & (
  | { readonly status: 'answered'; readonly answer: A }
  | { readonly status: 'rejected'; readonly refused: 'number' | 'requester' | 'text' }
  | { readonly status: 'expired'; readonly failure: Unanswered | undefined }
);

/** One query of the registry for a check. */
export type Attempt<A extends Answer> = {
  readonly outcome: Outcome<A> | RequesterRejected;
  /** The registry's firewall refused the text, and nothing else. */
  readonly isTextRefused?: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The newest fault of the Member State, in this check or another one; undefined if there was none. */
  readonly stateFaultedAt: number | undefined;
  /** From 0, inclusive, to 1, exclusive. */
  readonly random: number;
  /** The registry's own times after a failure; left out for those of rule K8. */
  readonly retryAt?: Registry['retryAt'];
};

/** A false answer is confirmed if its Member State faulted at most this long before. */
const nearOutageMs = 10 * 60_000;
/** Time between two false answers of which the second confirms the first. */
const confirmedAfterMs = 60_000;
/** Refusals of its text, and of nothing else, that end a check. */
const textRefusalsMax = 3;

/** A check whose first attempt is due immediately. */
export function beginCheck(now: number, expiresInHours: number): Pending {
  return {
    status: 'pending',
    attempts: 0,
    failure: undefined,
    textRefusals: 0,
    unconfirmedFalseAt: undefined,
    nextAttemptAt: now,
    expiresAt: now + expiresInHours * 3_600_000,
  };
}

/** The progress after one more attempt. */
export function advance<A extends Answer>(check: Pending, attempt: Attempt<A>): Progress<A> {
  const { outcome, endedAt } = attempt;
  const attempts = check.attempts + 1;
  switch (outcome.kind) {
    case 'rejected':
      return { status: 'rejected', refused: 'number', attempts, endedAt };
    case 'requesterRejected':
      return { status: 'rejected', refused: 'requester', attempts, endedAt };
    case 'answered': {
      const { answer } = outcome;
      if (isFinal(check, attempt, answer)) return { status: 'answered', answer, attempts, endedAt };
      const confirmAt =
        (check.unconfirmedFalseAt ?? endedAt) + delayBeforeConfirmationMs(attempt.random);
      return waitUntil(Math.max(confirmAt, endedAt), {
        ...check,
        attempts,
        failure: undefined,
        unconfirmedFalseAt: check.unconfirmedFalseAt ?? endedAt,
      });
    }
    case 'memberStateUnavailable':
    case 'serviceUnavailable':
    case 'timedOut':
    case 'failed': {
      const textRefusals = check.textRefusals + (attempt.isTextRefused === true ? 1 : 0);
      if (textRefusals >= textRefusalsMax) {
        return { status: 'rejected', refused: 'text', attempts, endedAt };
      }
      const retryAt = attempt.retryAt ?? retryAfterDelay;
      return waitUntil(retryAt(endedAt, attempts, attempt.random), {
        ...check,
        attempts,
        failure: outcome,
        textRefusals,
      });
    }
  }
}

/** The progress at a moment without an attempt: pending until `expiresAt`, then expired. */
export function expire(
  check: Pending,
  now: number,
): Pending | Extract<Ended<never>, { status: 'expired' }> {
  if (now < check.expiresAt) return check;
  const { attempts, failure } = check;
  return { status: 'expired', failure, attempts, endedAt: now };
}

/** An answer is final unless it is false, near an outage, and not the second one with a minute between. */
function isFinal<A extends Answer>(check: Pending, attempt: Attempt<A>, answer: A): boolean {
  if (answer.valid) return true;
  if (check.unconfirmedFalseAt !== undefined) {
    return attempt.startedAt - check.unconfirmedFalseAt >= confirmedAfterMs;
  }
  return attempt.endedAt - (attempt.stateFaultedAt ?? -Infinity) > nearOutageMs;
}

function retryAfterDelay(endedAt: number, attempts: number, random: number): number {
  return endedAt + delayAfterFailureMs(attempts, random);
}

function waitUntil(dueAt: number, check: Pending): Pending {
  return { ...check, nextAttemptAt: dueAt < check.expiresAt ? dueAt : undefined };
}
