import { setTimeout as wait } from 'node:timers/promises';

/** Waits until a condition holds; throws if it does not within a time. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 15_000,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    }
    await wait(10);
  }
}
