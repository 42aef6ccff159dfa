import { getHeapSpaceStatistics } from 'node:v8';
import { breakOnLoad } from '../../test/support/broken-build.ts';
import { offsetClock } from './changes.ts';
import { type During, LoopWatch, type LoopWaits } from './loop-watch.ts';

/**
 * Preloaded into the server (`node --expose-gc --import`). It moves the time of the service, watches its event loop,
 * and reports the memory and resources of the process after garbage collection.
 */

/** A message of the soak to the probe. */
export type Order =
  /** Moves the time of the service to this moment. */
  | { readonly kind: 'move'; readonly toMs: number }
  /** Starts to watch the event loop. The start of the server is not judged. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'watch'; readonly during: During }
  | { readonly kind: 'sample' };

/** The probe's answer to `sample`. */
export type ProbeReport = {
  /** Memory of V8's objects inside and outside its heap, without compiled code. */
  readonly heldBytes: number;
  /** Memory of the code that V8 has compiled. It grows slowly up to a limit, function by function. */
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
// The server also stops if the process of the soak has ended.
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
  // The second collection frees the memory that finalizers released in the first.
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
