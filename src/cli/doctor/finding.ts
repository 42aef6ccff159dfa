import { systemClock } from '../../platform/time/time.ts';

/** Result of one check. */
export type Finding = {
  readonly check: string;
  /** `wrong` needs an operator; `warning` may become wrong later; `skipped` could not be checked. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly found: string;
  /** Next step for the operator; undefined if there is none. */
  readonly advice?: string;
};

/** A check that found no problem. */
export function ok(check: string, found: string): Finding {
  return { check, state: 'ok', found };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: 'warning', found, advice };
}

export function wrong(check: string, found: string, advice: string): Finding {
  return { check, state: 'wrong', found, advice };
}

export function skipped(check: string, found: string): Finding {
  return { check, state: 'skipped', found };
}

/** Result of a check that also reads the clock of a server; without a clock if none could be read. */
export type FindingWithClock = {
  readonly finding: Finding;
  readonly clock?: ClockReading | undefined;
  /** The name of the upstream if it answered without a `Date`. */
  readonly undated?: string | undefined;
};

/** Difference between another clock and that of this machine. */
export type ClockReading = {
  /** Owner of the clock, for a sentence: `the database`. */
  readonly of: string;
  /** Positive if the other clock is ahead of this machine's. */
  readonly aheadMs: number;
  /** A larger difference is wrong. */
  readonly toleranceMs: number;
};

/** Reads the clock of a server, assuming that request and answer take equally long. */
export async function readClock(
  of: string,
  toleranceMs: number,
  readMs: () => Promise<number>,
): Promise<ClockReading> {
  const sentMs = systemClock.now();
  const theirsMs = await readMs();
  return { of, aheadMs: theirsMs - (sentMs + systemClock.now()) / 2, toleranceMs };
}
