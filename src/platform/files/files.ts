import {
  closeSync,
  fsyncSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf } from '../log/errors.ts';

/**
 * Creates a folder that only this user may read, and those above it that are missing; nothing if it is there. Returns
 * the folders that it has created.
 *
 * The recursive form of `mkdirSync` never ends below a folder that refuses new ones as if it were missing, such as `/proc`.
 */
export function createFolder(folder: string): readonly string[] {
  try {
    return createOne(folder);
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return [...createFolder(dirname(folder)), ...createOne(folder)];
  }
}

function createOne(folder: string): readonly string[] {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return [folder];
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
    return [];
  }
}

/**
 * If root has made a file or folder, gives it to the owner of the file that it replaces, or of the folder that it is in.
 *
 * A service that runs as that user can then use it. The folder is the real one behind links, so that a link which
 * another user has made gives away nothing in a folder of root.
 */
export function giveToOwner(made: string, replaced?: string): void {
  if (process.getuid?.() !== 0) return;
  const real = realpathSync(made);
  const paths = replaced === undefined ? [dirname(real)] : [replaced, dirname(real)];
  const owner = paths
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .find((stats) => stats !== undefined && stats.uid !== 0);
  if (owner === undefined) return;
  try {
    lchownSync(real, owner.uid, owner.gid);
  } catch {
    // Some file systems have no owners, and root in a container may have no right to change them.
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
