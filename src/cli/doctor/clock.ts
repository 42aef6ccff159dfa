import { type ClockReading, type Finding, ok, skipped, wrong } from './finding.ts';

/** Compares the clock of this machine with all other clocks that could be read; names upstreams whose answers have no `Date`. */
export function judgeClock(
  readings: readonly ClockReading[],
  undated: readonly string[] = [],
): Finding {
  const check = 'clock';
  // A job that gets such an answer publishes it without a comparison (contract C17a).
  const without = undated.map((upstream) => `not compared with ${upstream}, which sends no Date`);
  if (readings.length === 0) {
    return skipped(check, ['no other clock could be read', ...without].join(', '));
  }
  const found = [...readings.map(describe), ...without].join(', ');
  const isOff = readings.some(({ aheadMs, toleranceMs }) => Math.abs(aheadMs) > toleranceMs);
  if (!isOff) return ok(check, found);
  return wrong(
    check,
    found,
    'set the clocks of these machines by NTP: leases, limits and the daily runs depend on them',
  );
}

function describe({ of, aheadMs }: ClockReading): string {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return `${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${of}`;
}
