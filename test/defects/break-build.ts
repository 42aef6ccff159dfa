import assert from 'node:assert/strict';
import { breakOnLoad } from '../support/broken-build.ts';
import { defects } from './defects.ts';

/** Loaded into a process that a test starts (`node --import`), it gives it the defect that `BROKEN_BUILD` names. */
const name = process.env['BROKEN_BUILD'] ?? '';
const defect = defects.find((one) => one.name === name);
assert(defect, `BROKEN_BUILD is ${name}, which is no defect`);
breakOnLoad(defect.changes);
