import { ClockGuard, type ClockTrust } from '../../src/platform/time/clock-guard.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { Clock } from '../../src/platform/time/time.ts';

/** A clock that is always trusted. */
export const trusted: ClockTrust = { isTrusted: true, isDoubted: false };

/** A guard of a scripted clock: moving it counts as elapsed time, not as a jump. */
export function guardOf(clock: Clock): ClockGuard {
  const log = createLog('fatal', { write: () => {} });
  return new ClockGuard({ clock, uptime: () => clock.now(), log });
}
