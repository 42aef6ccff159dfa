/**
 * Goes on with a value that is there now or comes later: at once where it can, because a promise costs more than
 * finding what is in memory.
 */
export function andThen<T, U>(
  value: T | Promise<T>,
  next: (value: T) => U | Promise<U>,
): U | Promise<U> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- this is what it is for
  return value instanceof Promise ? value.then(next) : next(value);
}
