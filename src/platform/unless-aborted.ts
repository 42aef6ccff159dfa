/**
 * Settles like `work`, or rejects with the signal's reason if the signal is aborted first. Leaves no listener behind.
 *
 * Only the waiting ends: `work` goes on, and its later result or error is ignored. For work that does not watch a
 * signal itself, or watches it too late: undici does so only once a request has its connection.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
