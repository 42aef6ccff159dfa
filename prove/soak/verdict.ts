import type { LoopWaits, Waited } from './loop-watch.ts';
import { fitSlope, median, type Reading, type Slope } from './slope.ts';
import type { Soaked, SoakSample } from './soak.ts';

/** The bounds of reliability R27. */
const slopeMaxMb = 1;
const waitMaxMs = 50;
/** Connections open and close, so their number varies a little; a soak of seconds only opens them. */
const descriptorsMax = { long: 4, short: 20 };
/** In a shorter soak the slope is not judged: a megabyte an hour would be only a few kilobytes. */
const judgedMinMs = 5 * 60_000;
/** The first third is not judged. It fills bounded memory: caches, pools, prepared statements, compiled code. */
const warmUpShare = 1 / 3;
/**
 * If even an idle thread waits longer than this for the machine, the wall-clock time is reported but not judged. Only the
 * CPU time of the event loop's own thread is judged then.
 */
const quietMs = 3;
const megabyte = 1024 * 1024;

/** The judgement of a soak. */
export type Verdict = {
  /** One line with all counts and measurements. */
  readonly figure: string;
  /** A sentence for each bound that was exceeded. */
  readonly broken: readonly string[];
};

/** Judges a soak by its readings after the warm-up. */
export function judge(soaked: Soaked): Verdict {
  const { samples, idleLoop } = soaked;
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const steady = samples.filter(({ atMs }) => atMs >= lastMs * warmUpShare);
  const judgedMs = lastMs * (1 - warmUpShare);
  const isLong = judgedMs >= judgedMinMs;
  const held = slopeOf(steady, ({ heldBytes }) => heldBytes);
  const code = slopeOf(steady, ({ codeBytes }) => codeBytes);
  const resident = slopeOf(steady, ({ rssBytes }) => rssBytes);
  const [before, after] = compareDescriptors(
    soaked.descriptors.filter(({ atMs }) => atMs >= lastMs * warmUpShare),
  );
  const { job, rest } = samples.at(-1)?.loop ?? idleLoop;
  const idle = idleLoop.job.wall;
  const isQuiet = idle.p99Ms <= quietMs;
  const { p99Ms } = isQuiet ? job.wall : job.own;

  const broken: string[] = [];
  if (isLong && held.perHour >= slopeMaxMb) {
    broken.push(`memory: ${describeSlope(held)}, less than ${slopeMaxMb} MB/h is promised`);
  }
  const moreMax = descriptorsMax[isLong ? 'long' : 'short'];
  if (after - before > moreMax) broken.push(`descriptors: ${before} to ${after}`);
  if (p99Ms >= waitMaxMs) {
    broken.push(
      `event loop in the daily job: p99 ${p99Ms} ms, less than ${waitMaxMs} ms is promised`,
    );
  }
  if (soaked.daysCount === 0) broken.push('no daily job was seen');
  if (soaked.unexpectedCount > 0) broken.push(`${soaked.unexpectedCount} errors`);

  const figure =
    `${minutes(lastMs)} of ${soaked.answered} requests of ${soaked.kinds.size} kinds and ` +
    `${soaked.daysCount} days with their jobs: memory after collection ${describeSlope(held)} over the ` +
    `last ${minutes(judgedMs)}${isLong ? '' : ', too short to be judged'} (compiled code ` +
    `${describeSlope(code)}, resident ${describeSlope(resident)}); descriptors ${before} to ${after}; event-loop delay in the jobs ` +
    `${describeWaits(job)}, an idle thread's ${describeWaited(idle)}; in the rest of the day ${describeWaits(rest)}; ` +
    `${soaked.unexpectedCount} errors (bounds: < ${slopeMaxMb} MB/h, + ${moreMax}, ` +
    `p99 < ${waitMaxMs} ms ${isQuiet ? 'of wall-clock time' : 'of CPU time, because the machine is busy'}, 0)`;
  return { figure, broken };
}

function slopeOf(samples: readonly SoakSample[], bytesOf: (sample: SoakSample) => number): Slope {
  return fitSlope(
    samples.map((sample) => ({ atMs: sample.atMs, value: bytesOf(sample) / megabyte })),
  );
}

/** The median number of open descriptors in the first third, and in the last. */
function compareDescriptors(readings: readonly Reading[]): readonly [number, number] {
  const third = Math.ceil(readings.length / 3);
  const usual = (part: readonly Reading[]): number => median(part.map(({ value }) => value));
  return [usual(readings.slice(0, third)), usual(readings.slice(-third))];
}

function describeSlope({ perHour, standardError }: Slope): string {
  return `${perHour.toFixed(2)} ± ${standardError.toFixed(2)} MB/h`;
}

function describeWaits({ wall, own }: LoopWaits['job']): string {
  return `${describeWaited(own)} of CPU time and ${describeWaited(wall)} of wall-clock time`;
}

function describeWaited({ p99Ms, maxMs }: Waited): string {
  return `p99 ${p99Ms} ms (longest ${maxMs})`;
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} minutes`;
}
