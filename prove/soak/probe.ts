import { getHeapSpaceStatistics } from 'node:v8';
import { breakOnLoad } from '../../test/support/broken-build.ts';
import { offsetClock } from './changes.ts';
import { type During, LoopWatch, type LoopWaits } from './loop-watch.ts';

/**
 * Preloaded into the server (`node --expose-gc --import`): moves the time of the service, watches its event loop, and
 * reports the memory and resources of the process after garbage collection.
 */

/** A message of the soak to the probe. */
export type Order =
  /** Moves the time of the service to this moment. */
  | { readonly kind: 'move'; readonly toMs: number }
  /** Starts to watch the event loop; the start of the server is another promise. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'watch'; readonly during: During }
  | { readonly kind: 'sample' };

/** The probe's answer to `sample`. */
export type ProbeReport = {
  /** Objects of V8 and their memory outside its heap; without compiled code. */
  readonly heldBytes: number;
  /** Code that V8 has compiled; it grows for a long time, function by function, up to a limit. */
  readonly codeBytes: number;
  readonly rssBytes: number;
  /** Timers, sockets, handles and requests to the system that keep the process alive. */
  readonly resources: number;
  readonly loop: LoopWaits;
};

declare global {
  /** How far the clock of the service is ahead of the machine. */
  var soakOffsetMs: number;
}
globalThis.soakOffsetMs = Number(process.env['SOAK_START_MS'] ?? Date.now()) - Date.now();
breakOnLoad([offsetClock]);

const loop = new LoopWatch();
process.on('message', (order: Order) => {
  process.send?.(handle(order));
});
// The server also ends if the process of the soak is gone.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

function handle(order: Order): ProbeReport | null {
  switch (order.kind) {
    case 'move':
      globalThis.soakOffsetMs = order.toMs - Date.now();
      return null;
    case 'begin':
      loop.restart();
      return null;
    case 'watch':
      loop.turnTo(order.during);
      return null;
    case 'sample':
      return sample();
  }
}

function sample(): ProbeReport {
  // The second run collects what finalizers released in the first.
  globalThis.gc?.();
  globalThis.gc?.();
  loop.skip();
  const { rss, heapUsed, external } = process.memoryUsage();
  const codeBytes = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /^(?:code|trusted)_/.test(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  return {
    heldBytes: heapUsed + external - codeBytes,
    codeBytes,
    rssBytes: rss,
    resources: process.getActiveResourcesInfo().length,
    loop: loop.describe(),
  };
}
