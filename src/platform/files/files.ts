import { mkdirSync, statSync, closeSync, fsyncSync, openSync, linkSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../log/errors.ts';

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

/** Flushes a file to the disk, so that its content survives a power loss. */
export function flushFile(file: string): void {
  flush(file, 'r+');
}

/** Flushes a folder to the disk, so that files which were made, renamed or removed in it survive a power loss as they are. */
export function flushFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform !== 'win32') flush(folder, 'r');
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Codes with which file systems refuse a hard link: FAT and exFAT, network drives, and some in user space. */
const refusals: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Links a complete draft to the name of a file, which replaces no file: it throws `EEXIST`. On a file system without
 * hard links it calls `otherwise`.
 */
export function linkOr(draft: string, file: string, otherwise: () => void, link = linkSync): void {
  try {
    link(draft, file);
  } catch (error) {
    if (!refusals.includes(errorCodeOf(error))) throw error;
    otherwise();
  }
}
