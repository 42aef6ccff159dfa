import { onTestFinished, vi } from 'vitest';

/** Advances the monotonic clock of this process until the test ends. */
export function letTimePass(): { readonly by: (ms: number) => void } {
  const really = performance.now.bind(performance);
  let aheadMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    return really() + aheadMs;
  });
  onTestFinished(() => spy.mockRestore());
  return { by: (ms) => void (aheadMs += ms) };
}
