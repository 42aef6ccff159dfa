import { getHeapSpaceStatistics } from 'node:v8';
import { breakOnLoad } from '../../test/support/broken-build.ts';
import { offsetClock } from './changes.ts';
import { type During, LoopWatch, type LoopWaits } from './loop-watch.ts';

/**
 * Loaded into the server before the product (`node --expose-gc --import`): it moves the time in which the service
 * lives, watches its event loop, and tells what the process holds when garbage is gone.
 */

/** What the soak tells the server. */
export type Order =
  /** The service's time jumps to this moment. */
  | { readonly kind: 'move'; readonly toMs: number }
  /** From here on the event loop is watched: what a start takes is another promise. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'watch'; readonly during: During }
  | { readonly kind: 'sample' };

/** What the server answers to `sample`. */
export type Told = {
  /** Objects of V8, and what they hold outside of its heap; without compiled code. */
  readonly heldBytes: number;
  /** What V8 has compiled: it goes on for long, function by function, and has an end by itself. */
  readonly codeBytes: number;
  readonly rssBytes: number;
  /** Timers, sockets, handles and requests to the system that keep the process alive. */
  readonly resources: number;
  readonly loop: LoopWaits;
};

declare global {
  /** By so much the service is ahead of the machine. */
  var soakOffsetMs: number;
}
globalThis.soakOffsetMs = Number(process.env['SOAK_START_MS'] ?? Date.now()) - Date.now();
breakOnLoad([offsetClock]);

const loop = new LoopWatch();
process.on('message', (order: Order) => {
  process.send?.(obey(order));
});
// The server ends when it is told to, and when nobody is left who could tell it.
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

function obey(order: Order): Told | null {
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

function sample(): Told {
  // What finalizers let go of in the first is collected in the second.
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
