import type { Change } from '../../test/support/broken-build.ts';

/** Lets the service live ahead of the machine's clock. */
export const offsetClock: Change = {
  file: 'platform/time.ts',
  name: 'systemClock',
  by: '(whole) => ({ now: () => whole.now() + globalThis.soakOffsetMs })',
};

/** Lets each run of a job execute this JavaScript first. */
export function beforeRuns(first: string): Change {
  return {
    file: 'platform/schedule/run-log.ts',
    name: 'RunLog.record',
    by: `(whole, started, work) => whole(started, async (run) => { ${first} await work(run); })`,
  };
}
