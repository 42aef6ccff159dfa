import type { Clock } from '../time.ts';

const hourMs = 3_600_000;

/**
 * Makes a tick that does `work` once an hour. If `work` returns that some is left, the next tick continues, so that a stop
 * does not wait for all of it. If the clock is set back, an hour counts from then.
 */
export function createHourly(
  clock: Clock,
  work: (nowMs: number) => Promise<boolean>,
): () => Promise<void> {
  let nextAtMs = -Infinity;
  return async () => {
    const nowMs = clock.now();
    if (nowMs < nextAtMs && nowMs >= nextAtMs - hourMs) return;
    if (!(await work(nowMs))) nextAtMs = nowMs + hourMs;
  };
}
