import { describe, expect, it } from 'vitest';
import { answer, answered, down } from '../../../../test/vat-check/support/attempts.ts';
import type { Answer, Unanswered } from '../../registries/outcome.ts';
import { advance, type Attempt, beginCheck, expire, type Pending } from './progress.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** An attempt that takes a second, at a time after the beginning. */
function attempt(
  outcome: Attempt<Answer>['outcome'],
  afterMs = 0,
  rest: Partial<Attempt<Answer>> = {},
): Attempt<Answer> {
  return {
    outcome,
    startedAt: now + afterMs,
    endedAt: now + afterMs + secondMs,
    stateFaultedAt: undefined,
    random: 0.5,
    ...rest,
  };
}

const begun = beginCheck(now, 72);

function pendingAfter(check: Pending, made: Attempt<Answer>): Pending {
  const progress = advance(check, made);
  if (progress.status !== 'pending') throw new Error(`the check is ${progress.status}`);
  return progress;
}

describe('a stored check that begins (rule K6)', () => {
  it('is pending, due immediately, and expires after its hours', () => {
    expect(begun).toEqual({
      status: 'pending',
      attempts: 0,
      textRefusals: 0,
      failure: undefined,
      unconfirmedFalseAt: undefined,
      nextAttemptAt: now,
      expiresAt: now + 72 * hourMs,
    });
  });
});

describe('an attempt of a stored check (rule K6)', () => {
  it.each([true, false])('ends it with the answer %s', (valid) => {
    expect(advance(begun, attempt(answered(valid)))).toEqual({
      status: 'answered',
      answer: answer(valid),
      attempts: 1,
      endedAt: now + secondMs,
    });
  });

  it.each([
    ['number', { kind: 'rejected' }],
    ['requester', { kind: 'requesterRejected' }],
  ] as const)('ends it if the registry refuses the %s', (refused, outcome) => {
    expect(advance(begun, attempt(outcome))).toEqual({
      status: 'rejected',
      refused,
      attempts: 1,
      endedAt: now + secondMs,
    });
  });

  it.each<Unanswered>([
    down,
    { kind: 'memberStateUnavailable', because: 'throttled' },
    { kind: 'serviceUnavailable', because: 'down' },
    { kind: 'timedOut' },
    { kind: 'failed', failure: 'unreadable' },
  ])('leaves it pending if there was no answer: %j', (outcome) => {
    expect(advance(begun, attempt(outcome))).toEqual({
      ...begun,
      attempts: 1,
      failure: outcome,
      nextAttemptAt: now + secondMs + minuteMs,
    });
  });

  it('is repeated by the schedule, from the end of the attempt before (rule K8)', () => {
    const delays: number[] = [];
    let check = begun;
    for (let count = 0; count < 6; count += 1) {
      const startedAt = check.nextAttemptAt ?? Number.NaN;
      const endedAt = startedAt + 20 * secondMs;
      check = pendingAfter(check, attempt(down, 0, { startedAt, endedAt }));
      delays.push(((check.nextAttemptAt ?? Number.NaN) - endedAt) / minuteMs);
    }

    expect(delays).toEqual([1, 5, 15, 60, 60, 60]);
  });

  it('ends it as rejected with the third refusal of its text alone (rule K21a)', () => {
    const outcome: Unanswered = { kind: 'failed', failure: 'forbidden' };
    const refuse = (isTextRefused: boolean) => attempt(outcome, 0, { isTextRefused });

    const twice = [true, false, true].reduce((check, is) => pendingAfter(check, refuse(is)), begun);

    expect(twice).toMatchObject({ status: 'pending', failure: outcome, textRefusals: 2 });
    const ended = { status: 'rejected', refused: 'text', attempts: 4 };
    expect(advance(twice, refuse(true))).toMatchObject(ended);
  });

  it('is the last one if the next would be due when the check expires', () => {
    const expiresAt = now + secondMs + minuteMs;

    expect(pendingAfter({ ...begun, expiresAt }, attempt(down)).nextAttemptAt).toBeUndefined();
    expect(pendingAfter({ ...begun, expiresAt: expiresAt + 1 }, attempt(down)).nextAttemptAt).toBe(
      expiresAt,
    );
  });

  it('leaves it to the expiry if it fails after the check expires, and counts if it is answered', () => {
    const short = { ...begun, expiresAt: now + secondMs };

    expect(advance(short, attempt(down))).toEqual({
      ...short,
      failure: down,
      attempts: 1,
      nextAttemptAt: undefined,
    });
    expect(advance(short, attempt(answered(true))).status).toBe('answered');
  });
});

describe('the expiry of a stored check (rule K6)', () => {
  it('comes at its moment, with the newest failure', () => {
    const check = pendingAfter(begun, attempt(down));

    expect(expire(check, check.expiresAt - 1)).toBe(check);
    expect(expire(check, check.expiresAt)).toEqual({
      status: 'expired',
      failure: down,
      attempts: 1,
      endedAt: check.expiresAt,
    });
  });
});

describe('a false answer near an outage (rule K9)', () => {
  const nearOutage = { stateFaultedAt: now };
  const unconfirmed = pendingAfter(begun, attempt(answered(false), minuteMs, nearOutage));
  const firstAt = now + minuteMs + secondMs;

  it('leaves the check pending until a query at least 60 s later', () => {
    expect(unconfirmed).toEqual({
      ...begun,
      attempts: 1,
      unconfirmedFalseAt: firstAt,
      nextAttemptAt: firstAt + 63 * secondMs,
    });
    const soonest = attempt(answered(false), minuteMs, { ...nearOutage, random: 0 });
    expect(pendingAfter(begun, soonest).nextAttemptAt).toBe(firstAt + minuteMs);
  });

  it.each([
    ['600 s after the fault it is confirmed', 600, 'pending'],
    ['a moment later it is an answer', 600.001, 'answered'],
  ])('%s', (_, seconds, status) => {
    const endedAt = now + seconds * secondMs;

    expect(advance(begun, attempt(answered(false), 0, { ...nearOutage, endedAt })).status).toBe(
      status,
    );
  });

  it('is an answer after a second one, even if the Member State faults again between them', () => {
    const second = attempt(answered(false), 0, {
      startedAt: firstAt + minuteMs,
      endedAt: firstAt + 2 * minuteMs,
      stateFaultedAt: firstAt + minuteMs,
    });

    expect(advance(unconfirmed, second)).toMatchObject({ status: 'answered', attempts: 2 });
    const failed = pendingAfter(unconfirmed, attempt(down, 2 * minuteMs));
    expect(advance(failed, second)).toMatchObject({ status: 'answered', attempts: 3 });
  });

  it('is not confirmed by a query that began less than 60 s later', () => {
    const early = attempt(answered(false), 0, {
      startedAt: firstAt + minuteMs - 1,
      endedAt: firstAt + minuteMs + secondMs,
    });

    expect(advance(unconfirmed, early)).toEqual({
      ...unconfirmed,
      attempts: 2,
      nextAttemptAt: firstAt + 63 * secondMs,
    });
    const late = { ...early, endedAt: firstAt + 2 * minuteMs };
    expect(pendingAfter(unconfirmed, late).nextAttemptAt).toBe(late.endedAt);
  });

  it('is never an answer if the check expires before the confirmation', () => {
    const short = { ...begun, expiresAt: firstAt + 30 * secondMs };
    const check = pendingAfter(short, attempt(answered(false), minuteMs, nearOutage));

    expect(check.nextAttemptAt).toBeUndefined();
    expect(expire(check, short.expiresAt)).toMatchObject({ status: 'expired', failure: undefined });
  });
});
