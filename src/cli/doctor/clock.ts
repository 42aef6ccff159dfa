import type { ClockReading, Finding } from './finding.ts';

/** Compares the clock of this machine with all other clocks that could be read. */
export function judgeClock(readings: readonly ClockReading[]): Finding {
  const check = 'clock';
  if (readings.length === 0) {
    return { check, state: 'skipped', found: 'no other clock could be read' };
  }
  const found = readings
    .map(
      ({ of, aheadMs }) =>
        `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${behindOrAhead(aheadMs)} ${of}`,
    )
    .join(', ');
  const isOff = readings.some(({ aheadMs, toleranceMs }) => Math.abs(aheadMs) > toleranceMs);
  if (!isOff) return { check, state: 'ok', found };
  return {
    check,
    state: 'wrong',
    found,
    advice:
      'set the clocks of these machines by NTP: leases, limits and the daily runs depend on them',
  };
}

function behindOrAhead(aheadMs: number): string {
  return aheadMs > 0 ? 'behind' : 'ahead of';
}
