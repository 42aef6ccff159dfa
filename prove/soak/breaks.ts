import { openSync } from 'node:fs';
import { breakOnLoad } from '../../test/support/broken-build.ts';
import { beforeRuns } from './changes.ts';

/**
 * Loaded into the server (`--import prove/soak/breaks.ts?memory`), it lets it do what a soak is there to find.
 */
const kept: unknown[] = [];

const breaks: Readonly<Record<string, () => void>> = {
  /** 1 MB a minute. */
  memory: () => {
    setInterval(() => kept.push(Array.from({ length: 2_185 }, () => Math.random())), 1_000).unref();
  },
  /** A hundred a second, however busy the machine is. */
  descriptors: () => {
    const startedMs = performance.now();
    setInterval(() => {
      const due = (performance.now() - startedMs) / 10;
      while (kept.length < due) kept.push(openSync('/dev/null', 'r'));
    }, 50).unref();
  },
  /** In each run nobody else is served for a while. */
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
