import { linkSync } from 'node:fs';
import { errorCodeOf } from './error-code.ts';

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
