import assert from 'node:assert/strict';
import { breakOnLoad, type Change } from '../support/broken-build.ts';
import { breaks } from './breaks.ts';

/**
 * Loaded into a process before the product (`node --import`), it breaks the product in the way that `BROKEN_BUILD`
 * says: to show that the invariants see what they are there for.
 */
const name = process.env['BROKEN_BUILD'] ?? '';
const known: Readonly<Record<string, readonly Change[]>> = breaks;
const changes = known[name];
assert(changes, `BROKEN_BUILD is ${name}, expected one of ${Object.keys(breaks).join()}`);
breakOnLoad(changes);
