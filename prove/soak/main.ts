import { parseArgs } from 'node:util';
import { reportFigure } from '../../test/support/proof.ts';
import type { Waited } from './loop-watch.ts';
import { soak, type SoakSample } from './soak.ts';
import { judge } from './verdict.ts';

/**
 * The soak of reliability R27: `node prove/soak/main.ts --minutes 60`. Prints its figure, and ends with 1 if a bound is
 * exceeded. `--import` preloads a module that breaks the server, to show that the soak can fail.
 */
const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '60' },
    import: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
  },
});
const durationMs = Number(given.minutes) * 60_000;
const isBrief = durationMs < 60_000;
const soaked = await soak({
  durationMs,
  perSecond: Number(given['per-second']),
  dayMs: isBrief ? 6_000 : 30_000,
  sampleMs: Math.min(5_000, durationMs / 40),
  isBrief,
  imports: given.import.map((file) => new URL(file, `file://${process.cwd()}/`).href),
  onSample: (sample) => {
    if (given.verbose) process.stderr.write(`${formatSample(sample)}\n`);
  },
});
const { figure, broken } = judge(soaked);
reportFigure('R27', figure);
for (const line of [...broken, ...soaked.unexpected]) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;

function formatSample({ atMs, heldBytes, codeBytes, rssBytes, loop, ...rest }: SoakSample): string {
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(3);
  const waited = ({ p99Ms, maxMs }: Waited): string => `${p99Ms}/${maxMs}`;
  return [
    `${(atMs / 1_000).toFixed(0)} s`,
    `held ${megabytes(heldBytes)} MB, code ${megabytes(codeBytes)} MB, resident ${megabytes(rssBytes)} MB`,
    `${rest.resources} resources`,
    `jobs ${waited(loop.job.own)} ms of CPU time, ${waited(loop.job.wall)} of wall-clock time`,
    `rest ${waited(loop.rest.own)} ms of CPU time, ${waited(loop.rest.wall)} of wall-clock time`,
  ].join('; ');
}
