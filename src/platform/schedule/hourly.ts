import type { ClockTrust } from '../time/clock-guard.ts';
import type { Clock } from '../time/time.ts';

const hourMs = 3_600_000;

/**
 * Makes a tick that does `work` once an hour. If `work` returns that some is left, the next tick continues, so that a stop
 * does not wait for all of it. If the clock is set back, an hour counts from then. Nothing is done while the clock is not
 * trusted: a clock that is a year ahead would delete what is young.
 */
export function createHourly(
  { clock, clockGuard }: { readonly clock: Clock; readonly clockGuard: ClockTrust },
  work: (nowMs: number) => Promise<boolean>,
): () => Promise<void> {
  let nextAtMs = -Infinity;
  return async () => {
    const nowMs = clock.now();
    if (nowMs < nextAtMs && nowMs >= nextAtMs - hourMs) return;
    if (!clockGuard.isTrusted) return;
    if (!(await work(nowMs))) nextAtMs = nowMs + hourMs;
  };
}
