import { onTestFinished, vi } from 'vitest';

type Faked = NonNullable<NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']>[number];

/**
 * Fakes `setTimeout` and the given functions for the program until the test ends; the timers of
 * PostgreSQL's driver stay real. Only the program's are moved and counted.
 */
export function fakeTimeouts(...more: readonly Faked[]): void {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', ...more] });
  const { setTimeout: fakeSet, clearTimeout: fakeClear } = globalThis;
  const ofDriver = new WeakSet<object>();

  const setTimeoutOf = (...args: Parameters<typeof realSet>): NodeJS.Timeout => {
    if (!isDriver()) return fakeSet(...args);
    const timer = realSet(...args);
    ofDriver.add(timer);
    return timer;
  };
  const clearTimeoutOf = (timer: NodeJS.Timeout | undefined): void => {
    if (timer !== undefined && ofDriver.has(timer)) realClear(timer);
    else fakeClear(timer);
  };
  Object.assign(globalThis, { setTimeout: setTimeoutOf, clearTimeout: clearTimeoutOf });
  onTestFinished(() => {
    vi.useRealTimers();
    // The first of several calls is undone last.
    Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
  });
}

/** Whether the driver called the function that calls this one. */
function isDriver(): boolean {
  return /node_modules\/pg(?:-pool)?\//.test(new Error('where').stack ?? '');
}
