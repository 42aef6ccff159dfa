import { shareService, type TestService } from '../../support/start-service.ts';
import { changeRate } from '../../support/sandbox/scripts.ts';

/** A shared service with three published days and two changes, for tests that only read. */
export function shareLivedService(): () => TestService {
  return shareService({
    script: (scenario) => {
      changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
      changeRate(scenario, 'IE', 'reduced', ['9', '12.5'], '2026-11-20');
    },
    lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
  });
}
