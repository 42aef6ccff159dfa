import type { Log } from '../platform/log.ts';

/**
 * Waits for SIGTERM or SIGINT, then stops in order; a second signal ends the process at once.
 *
 * A rejection that nobody handled ends the process too: its supervisor starts it again from what is
 * stored, which is safer than going on in an unknown state.
 */
export async function runUntilSignal(stop: () => Promise<void>, log: Log): Promise<void> {
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  log.info({ signal }, 'stopping');
  process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1));
  await stop();
  log.info('stopped');
}
