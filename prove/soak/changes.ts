import type { Change } from '../../test/support/broken-build.ts';

/** Sets the service's clock ahead of the machine's by `soakOffsetMs`. */
export const offsetClock: Change = {
  file: 'platform/time.ts',
  name: 'systemClock',
  by: '(whole) => ({ now: () => whole.now() + globalThis.soakOffsetMs })',
};

/** Executes JavaScript at the start of each run of a job. */
export function beforeRuns(first: string): Change {
  return {
    file: 'platform/schedule/run-log.ts',
    name: 'RunLog.record',
    by: `(whole, started, work) => whole(started, async (run) => { ${first} await work(run); })`,
  };
}
