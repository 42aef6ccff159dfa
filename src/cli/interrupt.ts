/**
 * Does work that an interrupt ends in order: the signal is aborted, and the work decides where to stop. A second
 * interrupt ends the process at once.
 */
export async function withInterrupt<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void = () => {},
): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    interrupted.abort();
    onInterrupt();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
