import { addDays, formatInstant } from '../../../src/platform/time.ts';
import { versionAt } from '../../../src/rates/timetable.ts';
import { startService, type TestService } from '../../support/start-service.ts';

const dayMs = 86_400_000;

/** Today by the clock of the machine, which commands have. */
export const today = versionAt(Date.now());

/** A service whose clock, like that of its upstreams, has gone on for three days and has published them. */
export async function startAhead(): Promise<TestService> {
  // At noon the day's rates have been read, whatever the time of the test.
  const at = (days: number): string =>
    formatInstant(Date.parse(`${today}T12:00:00Z`) + days * dayMs);
  const fxFrom = addDays(today, -20);
  return startService({ at: at(0), fxFrom, lived: [at(0), at(1), at(2), at(3)] });
}
