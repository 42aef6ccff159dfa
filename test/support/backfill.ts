import { isoDate } from '../../src/platform/time/time.ts';
import { backfillRates } from '../../src/rates/backfill.ts';
import type { TestService } from './start-service.ts';

/** Does the same as `vatfx backfill rates`, in the time of the service. */
export async function backfill({ core }: TestService, from: string, to = from): Promise<void> {
  const { db, tedb, clock, config, watch } = core;
  const parts = { db, tedb, clock, flagCdnUrl: config.flagCdnUrl, onProgress: () => {} };
  const { signal } = new AbortController();
  await backfillRates({ from: isoDate(from), to: isoDate(to) }, { ...parts, signal });
  await watch.poll();
}
