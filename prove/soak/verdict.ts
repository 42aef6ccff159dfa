import type { LoopWaits, Waited } from './loop-watch.ts';
import type { Reading, Soaked } from './soak.ts';

/** The bounds of reliability R27. */
const [slopeMaxMb, waitMaxMs] = [1, 50];
/** Connections open and close, so their number varies a little; a soak of seconds only opens them, 32 of its own callers. */
const descriptorsMax = { long: 4, short: 40 };
/** In a shorter soak the slope is not judged: a megabyte an hour would be only a few kilobytes. */
const judgedMinMs = 5 * 60_000;
/** The first third is not judged. It fills bounded memory: caches, pools, prepared statements, compiled code. */
const warmUpShare = 1 / 3;

/** The judgement of a soak. */
export type Verdict = {
  /** One line with all counts and measurements. */
  readonly figure: string;
  /** A sentence for each bound that was exceeded. */
  readonly broken: readonly string[];
};

/**
 * Judges a soak by its readings after the warm-up. Of the event loop, the CPU time of its own thread is judged: wall-clock time
 * includes the other processes of the machine.
 */
export function judge(soaked: Soaked): Verdict {
  const { samples, daysCount, unexpectedCount } = soaked;
  const last = samples.at(-1);
  const lastMs = last?.atMs ?? 0;
  const judgedMs = lastMs * (1 - warmUpShare);
  const isLong = judgedMs >= judgedMinMs;
  const isSteady = ({ atMs }: { readonly atMs: number }): boolean => atMs >= lastMs * warmUpShare;
  const slopeOf = (of: 'heldBytes' | 'rssBytes') =>
    fitSlope(
      samples.filter(isSteady).map((one) => ({ atMs: one.atMs, value: one[of] / 1024 / 1024 })),
    );
  const [held, resident] = [slopeOf('heldBytes'), slopeOf('rssBytes')];
  const [before, after] = compareThirds(soaked.descriptors.filter(isSteady));
  const moreMax = descriptorsMax[isLong ? 'long' : 'short'];
  const p99Ms = last?.loop.job.own.p99Ms ?? 0;

  const broken = [
    isLong && held.perHour >= slopeMaxMb
      ? `memory: ${describeSlope(held)}, less than ${slopeMaxMb} MB/h is promised`
      : [],
    after - before > moreMax ? `descriptors: ${before} to ${after}` : [],
    p99Ms >= waitMaxMs
      ? `event loop in the daily job: p99 ${p99Ms} ms, less than ${waitMaxMs} ms is promised`
      : [],
    daysCount === 0 ? 'no daily job was seen' : [],
    unexpectedCount > 0 ? `${unexpectedCount} errors` : [],
  ].flat();
  const figure =
    `${minutes(lastMs)} of ${soaked.answered} requests of ${soaked.kinds.size} kinds and ` +
    `${daysCount} days with their jobs: memory after collection ${describeSlope(held)} over the ` +
    `last ${minutes(judgedMs)}${isLong ? '' : ', too short to be judged'} (resident ` +
    `${describeSlope(resident)}); descriptors ${before} to ${after}; event-loop delay in the jobs ` +
    `${describeWaits(last?.loop.job)}, in the rest of the day ${describeWaits(last?.loop.rest)}; ` +
    `${unexpectedCount} errors (bounds: < ${slopeMaxMb} MB/h, + ${moreMax}, p99 < ${waitMaxMs} ms of CPU time, 0)`;
  return { figure, broken };
}

/** Fits a straight line through readings by least squares; the error is infinite for fewer than three. */
export function fitSlope(readings: readonly Reading[]): {
  readonly perHour: number;
  readonly standardError: number;
} {
  const count = readings.length;
  if (count < 3) return { perHour: 0, standardError: Infinity };
  const points = readings.map(({ atMs, value }) => ({ hour: atMs / 3_600_000, value }));
  const middle = sum(points.map(({ hour }) => hour)) / count;
  const level = sum(points.map(({ value }) => value)) / count;
  const spread = sum(points.map(({ hour }) => (hour - middle) ** 2));
  const perHour = sum(points.map((one) => (one.hour - middle) * (one.value - level))) / spread;
  const misses = points.map(({ hour, value }) => value - level - perHour * (hour - middle));
  const variance = sum(misses.map((miss) => miss ** 2)) / (count - 2);
  return { perHour, standardError: Math.sqrt(variance / spread) };
}

/** The median in the first third, and in the last. */
function compareThirds(readings: readonly Reading[]): readonly [number, number] {
  const third = Math.ceil(readings.length / 3);
  const usual = (part: readonly Reading[]): number => {
    const sorted = part.map(({ value }) => value).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return [usual(readings.slice(0, third)), usual(readings.slice(-third))];
}

function describeSlope({ perHour, standardError }: ReturnType<typeof fitSlope>): string {
  return `${perHour.toFixed(2)} ± ${standardError.toFixed(2)} MB/h`;
}

function describeWaits(waits: LoopWaits['job'] | undefined): string {
  if (waits === undefined) return 'not read';
  const both = ({ p99Ms, maxMs }: Waited): string => `p99 ${p99Ms} ms (longest ${maxMs})`;
  return `${both(waits.own)} of CPU time and ${both(waits.wall)} of wall-clock time`;
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} minutes`;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
