import type { Io } from './io.ts';

/**
 * Runs work that SIGINT and SIGTERM interrupt: they abort `signal`, and the work decides where it stops.
 *
 * A second signal ends the process immediately.
 */
export async function withInterrupt<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController();
  const stopListening = (): void => {
    io.off('SIGINT', interrupt);
    io.off('SIGTERM', interrupt);
  };
  const interrupt = (): void => {
    stopListening();
    interrupted.abort();
  };
  io.on('SIGINT', interrupt);
  io.on('SIGTERM', interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    stopListening();
  }
}
