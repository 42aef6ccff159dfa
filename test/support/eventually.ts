import { setTimeout as wait } from 'node:timers/promises';

/**
 * How long tests wait for what is certain to come: far longer than it takes, because machines are shared and noisy.
 * A wait that ends early fails a test that has found nothing.
 */
export const patienceMs = 60_000;

/** How long tests wait for what is promised within a time: five times that time, because machines are noisy. */
export const boundOf = (promisedMs: number): number => 5 * promisedMs;

/** Waits until a condition holds; throws if it does not within a time. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    }
    await wait(10);
  }
}
