/** A value and the time of its reading. */
export type Reading = { readonly atMs: number; readonly value: number };

/** The change of a value per hour, with its standard error. */
export type Slope = { readonly perHour: number; readonly standardError: number };

const hourMs = 3_600_000;

/** Fits a straight line through readings by least squares; the error is infinite for fewer than three. */
export function fitSlope(readings: readonly Reading[]): Slope {
  const count = readings.length;
  if (count < 3) return { perHour: 0, standardError: Infinity };

  const hours = readings.map(({ atMs }) => atMs / hourMs);
  const values = readings.map(({ value }) => value);
  const [middle, level] = [mean(hours), mean(values)];
  const spread = sum(hours.map((hour) => (hour - middle) ** 2));
  const perHour =
    sum(hours.map((hour, at) => (hour - middle) * ((values[at] ?? 0) - level))) / spread;
  const misses = hours.map((hour, at) => (values[at] ?? 0) - level - perHour * (hour - middle));
  const variance = sum(misses.map((miss) => miss ** 2)) / (count - 2);
  return { perHour, standardError: Math.sqrt(variance / spread) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
