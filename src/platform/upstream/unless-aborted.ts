/**
 * What `sending` gives, if it comes before the signal.
 *
 * Undici looks at a signal only once a request has its connection; an address that swallows packets
 * never gives it one.
 */
export async function unlessAborted<T>(signal: AbortSignal, sending: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([sending, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
