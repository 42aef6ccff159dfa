import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from './error-code.ts';

/**
 * Creates a folder that only this user may read, and those above it that are missing; nothing if it is there.
 *
 * The recursive form of `mkdirSync` never ends below a folder that refuses new ones as if it were missing, such as `/proc`.
 */
export function createFolder(folder: string): void {
  try {
    createOne(folder);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    createFolder(dirname(folder));
    createOne(folder);
  }
}

function createOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}
