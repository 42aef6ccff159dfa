import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a folder to the disk: files that were made or renamed in it survive a power loss. */
export function flushFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
