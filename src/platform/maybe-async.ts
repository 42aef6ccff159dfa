/**
 * Calls `next` with a value that is available now or later. If it is available now, no promise is allocated: a promise
 * costs more than finding a value in memory.
 */
export function andThen<T, U>(
  value: T | Promise<T>,
  next: (value: T) => U | Promise<U>,
): U | Promise<U> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- this function is the replacement for `await`
  return value instanceof Promise ? value.then(next) : next(value);
}
