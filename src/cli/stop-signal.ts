import type { Log } from '../platform/log.ts';

/** The end that a signal asks for. */
export type StopSignal = {
  /** Aborted by the first signal: a start that takes long may look at it. */
  readonly asked: AbortSignal;
  /** Waits for the first signal, then stops in order. */
  whenAsked(stop: () => Promise<void>): Promise<void>;
};

/**
 * Listens for SIGTERM and SIGINT; a second signal ends the process at once.
 *
 * Called before anything is started, so that a signal in the middle of a start ends in order as well. A
 * rejection that nobody handled ends the process too: its supervisor starts it again from what is
 * stored, which is safer than going on in an unknown state.
 */
export function listenForStop(log: Log): StopSignal {
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  const asked = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (signal: NodeJS.Signals): void => {
    if (asked.signal.aborted) process.exit(1);
    log.info({ signal }, 'stopping');
    asked.abort();
    resolve();
  };
  process.on('SIGTERM', hear).on('SIGINT', hear);
  return {
    asked: asked.signal,
    whenAsked: async (stop) => {
      await promise;
      await stop();
      log.info('stopped');
    },
  };
}
