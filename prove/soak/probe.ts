import { getHeapSpaceStatistics } from 'node:v8';
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
  /** Memory of V8's objects inside and outside its heap, without compiled code, which grows slowly up to a limit. */
  readonly heldBytes: number;
  readonly rssBytes: number;
  readonly loop: LoopWaits;
};

const machineNow = Date.now;
/** How far the clock of the service is ahead of the machine's. */
let offsetMs = 0;

// A test of `SoakedServer` gives no orders.
if (process.env['SOAK_START_MS'] !== undefined) start(Number(process.env['SOAK_START_MS']));

function start(startMs: number): void {
  offsetMs = startMs - machineNow();
  Date.now = () => machineNow() + offsetMs;
  process.on('message', (order: Order) => {
    process.send?.(handle(order));
  });
  // The server also stops if the process of the soak has ended.
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

let loop: LoopWatch | undefined;

function handle(order: Order): ProbeReport | null {
  if (order.kind === 'move') offsetMs = order.toMs - machineNow();
  if (order.kind === 'begin') loop = new LoopWatch();
  if (order.kind === 'watch') loop?.turnTo(order.during);
  return order.kind === 'sample' && loop !== undefined ? sample(loop) : null;
}

function sample(loop: LoopWatch): ProbeReport {
  // The second collection frees the memory that finalizers released in the first.
  globalThis.gc?.();
  globalThis.gc?.();
  loop.skip();
  const { rss, heapUsed, external } = process.memoryUsage();
  const codeBytes = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /^(?:code|trusted)_/.test(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  return { heldBytes: heapUsed + external - codeBytes, rssBytes: rss, loop: loop.describe() };
}
