import { openSync } from 'node:fs';
import { breakOnLoad, type Change } from '../../test/support/broken-build.ts';

/**
 * Preloaded into the server, with the name of a defect that a soak must detect: `--import prove/soak/breaks.ts?memory`.
 */
const kept: unknown[] = [];

/** Executes JavaScript at the start of each run of a job. */
export function beforeRuns(first: string): Change {
  return {
    file: 'platform/schedule/run-log.ts',
    name: 'RunLog.record',
    by: `(whole, started, work) => whole(started, async (run) => { ${first} await work(run); })`,
  };
}

const block = 'const untilMs = performance.now() + 200; while (performance.now() < untilMs);';

const defects: Readonly<Record<string, () => void>> = {
  /** Leaks 1 MB a minute. */
  memory: () => {
    setInterval(() => kept.push(Array.from({ length: 2_185 }, () => Math.random())), 1_000).unref();
  },
  /** Leaks a hundred descriptors a second; on a busy machine it catches up. */
  descriptors: () => {
    const startedMs = performance.now();
    setInterval(() => {
      const due = (performance.now() - startedMs) / 10;
      while (kept.length < due) kept.push(openSync('/dev/null', 'r'));
    }, 50).unref();
  },
  /** Each run blocks all other requests for 200 ms. */
  'blocked loop': () => breakOnLoad([beforeRuns(block)]),
};

const name = decodeURIComponent(new URL(import.meta.url).search.slice(1));
if (name !== '') {
  const names = Object.keys(defects).join(', ');
  const start = defects[name];
  if (start === undefined) throw new Error(`unknown defect ${name}; there are ${names}`);
  start();
}
