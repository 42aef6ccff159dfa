import { openSync } from 'node:fs';
import { breakOnLoad } from '../../test/support/broken-build.ts';
import { beforeRuns } from './changes.ts';

/** Preloaded into the server (`--import prove/soak/breaks.ts?memory`): a defect that a soak must detect. */
const kept: unknown[] = [];

const breaks: Readonly<Record<string, () => void>> = {
  /** Leaks 1 MB a minute. */
  memory: () => {
    setInterval(() => kept.push(Array.from({ length: 2_185 }, () => Math.random())), 1_000).unref();
  },
  /** Leaks a hundred descriptors a second, even on a busy machine. */
  descriptors: () => {
    const startedMs = performance.now();
    setInterval(() => {
      const due = (performance.now() - startedMs) / 10;
      while (kept.length < due) kept.push(openSync('/dev/null', 'r'));
    }, 50).unref();
  },
  /** Each run blocks all other requests for 200 ms. */
  'blocked loop': () => {
    breakOnLoad([
      beforeRuns('const untilMs = performance.now() + 200; while (performance.now() < untilMs);'),
    ]);
  },
  'failing runs': () => {
    breakOnLoad([
      beforeRuns("if (this.isSecond) throw new Error('broken on purpose'); this.isSecond = true;"),
    ]);
  },
};

const name = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const start = breaks[name];
if (start === undefined)
  throw new Error(`there are ${Object.keys(breaks).join(', ')}, not ${name}`);
start();
