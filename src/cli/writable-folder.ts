import { accessSync, constants, statSync } from 'node:fs';
import { CommandFailure } from './report.ts';

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
