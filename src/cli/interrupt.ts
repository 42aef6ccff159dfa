import type { Io } from './io.ts';

/**
 * Runs work that SIGINT or SIGTERM ends in order: `signal` is aborted, and the work decides where it stops.
 *
 * A second signal ends the process immediately.
 */
export async function withInterrupt<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void = () => {},
): Promise<T> {
  const interrupted = new AbortController();
  const ignore = (): void => {
    io.off('SIGINT', interrupt);
    io.off('SIGTERM', interrupt);
  };
  const interrupt = (): void => {
    ignore();
    interrupted.abort();
    onInterrupt();
  };
  io.on('SIGINT', interrupt);
  io.on('SIGTERM', interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    ignore();
  }
}
