import assert from 'node:assert/strict';
import { breakOnLoad } from '../support/broken-build.ts';
import { builds } from './builds.ts';

/** Preloaded into a process (`brokenEnvironment`): breaks the product as `BROKEN_BUILD` says. */
const name = process.env['BROKEN_BUILD'] ?? '';
const changes = builds[name];
assert(changes, `BROKEN_BUILD is ${name}, expected one of ${Object.keys(builds).join(', ')}`);
breakOnLoad(changes);
