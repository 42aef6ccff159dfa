import { existsSync, type linkSync, renameSync, accessSync, constants, statSync } from 'node:fs';
import { linkOr } from '../../platform/files/files.ts';
import { CommandFailure } from '../command/report.ts';

/**
 * Gives a complete draft its name: a file with that name is never partial, and no file is replaced.
 *
 * Throws `EEXIST` if there is a file with that name. The draft may stay under its own name as well; the caller removes it.
 */
export function nameFile(draft: string, file: string, link?: typeof linkSync): void {
  const rename = (): void => {
    // A file that is made between these two calls would be replaced: only a link excludes that.
    if (existsSync(file))
      throw Object.assign(new Error(`${file} exists already`), { code: 'EEXIST' });
    renameSync(draft, file);
  };
  linkOr(draft, file, rename, link);
}

/** Fails if a folder does not exist or cannot be written; called before the work whose result goes into it. */
export function requireWritableFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CommandFailure(`there is no folder ${folder}; make it first`);
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    const user = process.getuid?.() ?? 'of vatfx';
    throw new CommandFailure(
      `user ${user} cannot write into ${folder}; let that user own it, or choose another folder`,
    );
  }
}
