import { addDays, formatInstant } from '../../../src/platform/time/time.ts';
import { versionAt } from '../../../src/rates/timetable.ts';
import { startService, type TestService } from '../../support/start-service.ts';

const dayMs = 86_400_000;

/** Today by the clock of the machine, which commands have. */
export const today = versionAt(Date.now());

/** A service whose clock, like that of its upstreams, has gone on for three days and has published them. */
export async function startAhead(): Promise<TestService> {
  const nowMs = Date.now();
  // At noon the rates of a day have been read, whatever the hour of the test.
  const noonMs = Date.parse(`${today}T12:00:00Z`);
  const at = (days: number): string => formatInstant(Math.max(nowMs, noonMs) + days * dayMs);
  const fxFrom = addDays(today, -20);
  return startService({ at: formatInstant(nowMs), fxFrom, lived: [at(0), at(1), at(2), at(3)] });
}
