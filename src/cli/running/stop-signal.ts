import { once } from 'node:events';
import type { Log } from '../../platform/log/log.ts';
import type { Io } from '../command/io.ts';

/** Signals that end a command or server in order. SIGHUP comes when a terminal is closed. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** npm and shells pass a signal on that the terminal has sent already: within this time it is the same one. */
const sameSignalMs = 500;
/** The longest time for which output that is not read delays the end of a process that a signal has stopped. */
const unreadMs = 1_000;

/** The signals of a server; they have their usual effect again once it is disposed of. */
export type StopSignal = {
  /** Aborted by the first signal, which may come during the start. */
  readonly signal: AbortSignal;
  /** Waits for the first signal. */
  wait(): Promise<void>;
} & Disposable;

/**
 * Listens for the signals that stop a server; a second one ends the process immediately.
 *
 * Servers call it before anything else, so that a signal during the start also ends them in order. An unhandled
 * rejection ends the process: the supervisor starts it again from the stored data, which is safer than an
 * unknown state.
 */
export function listenForStop(io: Io, log: Log): StopSignal {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopListening = listenForSignals(io, (name) => {
    log.info({ signal: name }, 'stopping');
    stopping.abort();
  });
  const fail = (error: unknown): void => {
    log.fatal({ err: error }, 'unhandled rejection');
    io.exit(1);
  };
  io.on('unhandledRejection', fail);
  return {
    signal,
    wait: async () => {
      if (!signal.aborted) await once(signal, 'abort');
    },
    [Symbol.dispose]: () => {
      stopListening();
      io.off('unhandledRejection', fail);
      if (signal.aborted) endUnread(io);
    },
  };
}

/**
 * Runs work that a signal interrupts: it aborts `signal`, and the work decides where it stops.
 *
 * A second signal ends the process immediately.
 */
export async function withInterrupt<T>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController();
  const stopListening = listenForSignals(io, () => interrupted.abort());
  try {
    return await work(interrupted.signal);
  } finally {
    stopListening();
    if (interrupted.signal.aborted) endUnread(io);
  }
}

/** Calls `stop` at the first signal, and ends the process at the second. Returns a function that ends the listening. */
function listenForSignals(io: Io, stop: (name: unknown) => void): () => void {
  let first: { readonly name: unknown; readonly atMs: number } | undefined;
  const listener = (name: unknown): void => {
    const nowMs = performance.now();
    if (first === undefined) {
      first = { name, atMs: nowMs };
      stop(name);
    } else if (name !== first.name || nowMs - first.atMs > sameSignalMs) {
      io.exit(1);
    }
  };
  for (const signal of stopSignals) io.on(signal, listener);
  return () => {
    for (const signal of stopSignals) io.off(signal, listener);
  };
}

/** Ends a process that has nothing to do but to wait for a reader of its output. */
function endUnread(io: Io): void {
  setTimeout(() => {
    const unread = [io.stdout, io.stderr].some(({ writableLength = 0 }) => writableLength > 0);
    if (unread) io.exit();
  }, unreadMs).unref();
}
