import { once } from 'node:events';
import type { Log } from '../platform/log/log.ts';
import type { Io } from './report.ts';

/** SIGTERM and SIGINT of a server; they are ignored again once it is disposed of. */
export type StopSignal = {
  /** Aborted by the first signal, which may come during the start. */
  readonly signal: AbortSignal;
  /** Waits for the first signal. */
  wait(): Promise<void>;
} & Disposable;

/**
 * Listens for SIGTERM and SIGINT; a second signal ends the process immediately.
 *
 * Servers call it before anything else, so that a signal during the start also ends them in order. An unhandled
 * rejection ends the process: the supervisor starts it again from the stored data, which is safer than an
 * unknown state.
 */
export function listenForStop(io: Io, log: Log): StopSignal {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (name: unknown): void => {
    if (signal.aborted) io.exit(1);
    log.info({ signal: name }, 'stopping');
    stopping.abort();
  };
  const fail = (error: unknown): void => {
    log.fatal({ err: error }, 'unhandled rejection');
    io.exit(1);
  };
  const listeners = [
    ['SIGTERM', stop],
    ['SIGINT', stop],
    ['unhandledRejection', fail],
  ] as const;
  for (const [event, listener] of listeners) io.on(event, listener);
  return {
    signal,
    wait: async () => {
      if (!signal.aborted) await once(signal, 'abort');
    },
    [Symbol.dispose]: () => {
      for (const [event, listener] of listeners) io.off(event, listener);
    },
  };
}

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
