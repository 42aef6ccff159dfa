import { expect, vi } from 'vitest';
import type { Answer } from '../../support/send-request.ts';
import type { ManualTimers } from '../../support/manual-timers.ts';
import type { TestService } from '../../support/start-service.ts';
import { patienceMs } from '../../support/eventually.ts';

/** Sends a check that the registry does not answer; ends its time as soon as the registry has been called. */
export async function failToQuery(
  service: TestService,
  timers: ManualTimers,
  path: string,
): Promise<Answer> {
  const { vies } = service.sandbox.requests;
  const state = path.split('/')[2];
  const before = vies.calls(state);

  const asked = service.get(path);
  await vi.waitFor(() => expect(vies.calls(state)).toBeGreaterThan(before), patienceMs);
  timers.advance(service.config.viesTimeoutMs);
  return asked;
}
