import { setImmediate } from 'node:timers/promises';

/**
 * Does work in portions, until a portion returns that none follows. Other work of the process runs in between: on SQLite
 * a statement blocks the event loop, and promises alone do not let other work run.
 */
export async function inPortions(portion: () => Promise<boolean>): Promise<void> {
  while (await portion()) await setImmediate();
}
