import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { ClockGuard } from './clock-guard.ts';
import { createLog } from '../log/log.ts';

const [minuteMs, hourMs, yearMs] = [60_000, 3_600_000, 365 * 86_400_000];

/** A guard whose clock and elapsed time a test moves. */
function openGuard() {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const lines: { readonly level: string; readonly msg: string }[] = [];
  let uptimeMs = 0;
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const guard = new ClockGuard({ clock, uptime: () => uptimeMs, log });
  return {
    guard,
    lines,
    /** Time passes, and the clock shows it. */
    pass: (ms: number): void => {
      uptimeMs += ms;
      clock.advance(ms);
    },
    jump: (ms: number): void => clock.advance(ms),
    /** An answer whose `Date` is so far from the clock. */
    date: (fromClockMs = 0) => guard.compare('tedb', clock.now() + fromClockMs),
  };
}

/** The same, with a clock that a `Date` has confirmed. */
function openTrusted() {
  const world = openGuard();
  world.date();
  return world;
}

describe('ClockGuard after a start', () => {
  it('trusts the clock after ten minutes, or as soon as a Date agrees with it', () => {
    const { guard, pass } = openGuard();
    const confirmed = openGuard();

    expect(guard.doubt).toEqual({ reason: 'started', aheadSeconds: 0 });
    expect(guard.isDoubted).toBe(false);
    pass(10 * minuteMs - 1);
    expect(guard.isTrusted).toBe(false);
    pass(1);
    confirmed.date(59 * minuteMs);

    expect(guard.isTrusted).toBe(true);
    expect(confirmed.guard.isTrusted).toBe(true);
  });
});

describe('ClockGuard after a jump (contract C17a, rule K8)', () => {
  it.each([yearMs, -yearMs, 2 * minuteMs])('does not trust a clock that jumped by %s ms', (ms) => {
    const { guard, jump, lines } = openTrusted();

    jump(ms);

    expect(guard.doubt).toEqual({ reason: 'jumped', aheadSeconds: ms / 1_000 });
    expect(guard.isDoubted).toBe(true);
    expect(lines.map(({ level }) => level)).toEqual(['error']);
  });

  it('trusts it again as soon as it is back, a Date agrees, or it was steady for ten minutes', () => {
    const [back, dated, steady] = [openTrusted(), openTrusted(), openTrusted()];
    for (const { guard, jump } of [back, dated, steady]) {
      jump(yearMs);
      expect(guard.isTrusted).toBe(false);
    }

    back.pass(12_000);
    back.jump(-yearMs);
    dated.date();
    steady.pass(9 * minuteMs);
    expect(steady.guard.isTrusted).toBe(false);
    steady.pass(minuteMs);

    for (const { guard, lines } of [back, dated, steady]) {
      expect(guard.isTrusted).toBe(true);
      expect(lines.at(-1)?.msg).toBe('clock of this machine is trusted again');
    }
  });

  it('follows small corrections, however many there are', () => {
    const { guard, jump, pass } = openTrusted();
    for (let count = 0; count < 200; count += 1) {
      jump(minuteMs / 2);
      pass(minuteMs);
      expect(guard.isTrusted).toBe(true);
    }
  });
});

describe('ClockGuard with a Date that contradicts the clock (contract C17a)', () => {
  it('never trusts the clock until it is set, or a Date agrees', () => {
    const [set, agreed] = [openTrusted(), openTrusted()];
    for (const { guard, date, pass } of [set, agreed]) {
      expect(date(-2 * hourMs)).toEqual({ aheadMs: 2 * hourMs, isWrong: true });
      pass(30 * 24 * hourMs);
      expect(guard.doubt).toEqual({ reason: 'contradicted', aheadSeconds: 7_200 });
    }

    set.jump(-2 * hourMs);
    agreed.date();

    expect(set.guard.isTrusted).toBe(true);
    expect(agreed.guard.isTrusted).toBe(true);
  });
});
