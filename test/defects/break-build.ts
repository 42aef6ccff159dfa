import assert from 'node:assert/strict';
import { breakOnLoad } from '../support/broken-build.ts';
import { builds } from './builds.ts';

/** Preloaded into a process (`brokenEnvironment`): breaks the product as `BROKEN_BUILD` says. */
const names = (process.env['BROKEN_BUILD'] ?? '').split(' + ');
breakOnLoad(
  names.flatMap((name) => {
    const changes = builds[name];
    assert(changes, `BROKEN_BUILD has ${name}, expected one of ${Object.keys(builds).join(', ')}`);
    return changes;
  }),
);
