import assert from 'node:assert/strict';
import { breakOnLoad } from '../../support/broken-build.ts';
import { journeyBuilds } from './broken-builds.ts';

/**
 * Preloaded into a process (`node --import`): shortens the lease, and breaks the product according to `BUILD`, to
 * show that a check can fail.
 */
const shortLease = journeyBuilds['short lease'];
const noEpoch = journeyBuilds['stale lease published'];
const builds: Readonly<Record<string, () => void>> = {
  whole: () => breakOnLoad(shortLease),
  // A process that goes on after its lease has ended still publishes.
  'no epoch': () => breakOnLoad([...shortLease, ...noEpoch]),
};

const start = builds[process.env['BUILD'] ?? ''];
assert(start, `BUILD is one of ${Object.keys(builds).join(', ')}`);
start();
