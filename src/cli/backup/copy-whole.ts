import { createWriteStream, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from '../command/report.ts';

/** Bytes of the header of a file of SQLite. */
const headerBytes = 100;
const magic = Buffer.from('SQLite format 3\0');

/** Where a backup comes from. */
export type BackupBytes = {
  readonly chunks: AsyncIterable<Buffer>;
  /** Its name in sentences. */
  readonly name: string;
  /** Whether a write-ahead log belongs to it, which has its newest pages. */
  readonly hasLog: boolean;
};

/**
 * Copies a backup into a draft, for its owner only. Ends early if the bytes are no database of SQLite, and fails if there are fewer
 * than its header says, because a transfer was cut off.
 */
export async function copyWhole(
  backup: BackupBytes,
  draft: string,
  signal: AbortSignal,
): Promise<void> {
  const check = (chunks: AsyncIterable<Buffer>) => requireWhole(chunks, backup);
  await pipeline(backup.chunks, check, createPrivate(draft), { signal });
}

/**
 * Makes a file for its owner only, and writes into it.
 *
 * It is there when this returns: a stream that makes its file later could do so after the draft was removed.
 */
export function createPrivate(file: string): Writable {
  return createWriteStream('', { fd: openSync(file, 'wx', 0o600) });
}

async function* requireWhole(
  chunks: AsyncIterable<Buffer>,
  { name, hasLog }: BackupBytes,
): AsyncGenerator<Buffer> {
  let header = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of chunks) {
    if (header.length < headerBytes) {
      header = Buffer.concat([header, chunk.subarray(0, headerBytes - header.length)]);
      requireMagic(header, name);
    }
    length += chunk.length;
    yield chunk;
  }
  if (length === 0) throw new CommandFailure(`${name} is empty. Nothing was restored`);
  const expected = hasLog ? 0 : sizeInHeader(header);
  if (length < expected) {
    throw new CommandFailure(
      `${name} ends after ${length} of ${expected} bytes: it was cut off. Nothing was restored`,
    );
  }
}

function requireMagic(header: Buffer, name: string): void {
  const length = Math.min(header.length, magic.length);
  if (header.subarray(0, length).equals(magic.subarray(0, length))) return;
  throw new CommandFailure(
    `${name} is not a database of vatfx: it does not begin as a file of SQLite does. If it is compressed or encrypted, ` +
      'undo that first. Nothing was restored',
  );
}

/** The size of a file of SQLite by its header, in bytes; 0 if the header does not say it (SQLite, Database File Format, 1.3.7). */
function sizeInHeader(header: Buffer): number {
  if (header.length < headerBytes) return headerBytes;
  const isValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  const pageBytes = header.readUInt16BE(16);
  return isValid ? header.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes) : 0;
}
