import { closeSync, fsyncSync, openSync } from 'node:fs';

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
