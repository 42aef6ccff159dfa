/** What one look came to. */
export type Finding = {
  readonly check: string;
  /** `wrong` needs somebody; `warning` may become wrong; `skipped` could not be looked at. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly found: string;
  /** What to do; undefined where there is nothing to do. */
  readonly advice?: string;
};

/** By how much somebody's clock is ahead of this machine's. */
export type ClockReading = {
  readonly of: string;
  readonly aheadMs: number;
  /** From where on it matters. */
  readonly toleranceMs: number;
};

/** Reads a clock that is asked for; half of the way there and back is taken to be the way there. */
export async function readClock(
  of: string,
  toleranceMs: number,
  ask: () => Promise<number>,
): Promise<ClockReading> {
  const sentMs = Date.now();
  const theirsMs = await ask();
  return { of, aheadMs: theirsMs - (sentMs + Date.now()) / 2, toleranceMs };
}
