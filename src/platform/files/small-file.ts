import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { errorCodeOf } from '../log/errors.ts';

/** Maximum size of a file of settings (rule O19). */
export const settingsBytesMax = 65_536;
/** The same for certificates: those of all authorities of a system have a quarter of it. */
export const certificatesBytesMax = 1_048_576;

/** The content of a file, or why there is none; `code` is that of the system's error, if there was one. */
export type SmallFile =
  | { readonly bytes: Buffer }
  | { readonly found: string; readonly code?: string };

/**
 * Reads a regular file of a limited size. It never waits, and reads no further than the limit: a FIFO, a device or a socket is
 * opened without blocking, and the open file is judged, so that its path cannot lead to another one in between.
 */
export function readSmallFile(path: string, bytesMax = settingsBytesMax): SmallFile {
  let descriptor: number;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
    descriptor = openSync(path, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0));
  } catch (error) {
    return describeError(error);
  }
  try {
    const kind = kindOf(fstatSync(descriptor));
    return kind === undefined ? readOpened(descriptor, bytesMax) : { found: `it is a ${kind}` };
  } catch (error) {
    return describeError(error);
  } finally {
    closeSync(descriptor);
  }
}

function describeError(error: unknown): SmallFile {
  const code = String(errorCodeOf(error));
  return { found: refusals[code] ?? `it cannot be read (${code})`, code };
}

const refusals: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not read it',
  // Of a socket, and of a device without its driver.
  ENXIO: 'it is a socket or a device',
};

/** Undefined for a regular file. */
function kindOf(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'folder';
  if (stats.isFIFO()) return 'FIFO';
  return 'device';
}

/** A file can grow meanwhile, and those in `/proc` have no size. */
function readOpened(descriptor: number, bytesMax: number): SmallFile {
  const bytes = Buffer.alloc(bytesMax + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (read === 0) return { bytes: bytes.subarray(0, length) };
    length += read;
    if (length > bytesMax) return { found: `it has more than ${bytesMax / 1_024} KB` };
  }
}
