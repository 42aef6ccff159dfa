import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { printHead } from '../../vat-check/support/raw-registry.ts';

export const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export const gzipped = { 'Content-Encoding': 'gzip' };
const chunked = { 'Content-Type': 'text/xml', 'Transfer-Encoding': 'chunked' };

// Made once: the sender shares its process with the part whose memory is measured.
const blanks = Buffer.alloc(megabyte, ' ');
const few = Buffer.alloc(1_000, ' ');
// Gzip allows any number of members, one behind the other: 64 of them are a gigabyte.
const packedBlanks = gzipSync(Buffer.alloc(16 * megabyte, ' '));
const packedZeros = gzipSync(Buffer.alloc(16 * megabyte));

/** Sends an answer that must not be read to its end. All but one are well-formed, so that only a cap can refuse them. */
export type Flood = (socket: Socket, document: string) => Promise<void>;

export const floods = {
  'a gigabyte on the wire': async (socket, document) =>
    pour(socket, [Buffer.from('<!-- '), ...repeat(blanks, 1_024), Buffer.from(` -->${document}`)]),
  'a gigabyte of comment in a megabyte of gzip': async (socket, document) => {
    const [start, end] = [gzipSync('<!-- '), gzipSync(` -->${document}`)];
    return pour(socket, [start, ...repeat(packedBlanks, 64), end], gzipped);
  },
  'a gigabyte of zeros in a megabyte of gzip': async (socket) =>
    pour(socket, repeat(packedZeros, 64), gzipped),
  'a body that never ends': async (socket) => pour(socket, repeat(few, Infinity)),
} as const satisfies Record<string, Flood>;

/** Writes parts in chunks of HTTP, as fast as the client reads, until it disconnects. */
async function pour(socket: Socket, parts: Iterable<Buffer>, headers = {}): Promise<void> {
  socket.write(printHead(200, { ...chunked, ...headers }));
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(`${part.length.toString(16)}\r\n`);
    socket.write(part);
    if (socket.write('\r\n')) continue;
    await once(socket, 'drain', { signal: closed.signal }).catch(() => {});
  }
  socket.end('0\r\n\r\n');
}

function* repeat(part: Buffer, times: number): Generator<Buffer> {
  for (let sent = 0; sent < times; sent += 1) yield part;
}

/**
 * Largest growth of this process in MB while some work is repeated.
 *
 * Memory that the first three times allocate does not count. Garbage is collected before every fifth time; otherwise V8
 * collects it only when there is enough of it.
 */
export async function measureGrowth(times: number, run: () => Promise<void>): Promise<number> {
  for (let before = 0; before < 3; before += 1) await run();
  collectGarbage();
  const beforeBytes = process.memoryUsage.rss();
  let mostBytes = beforeBytes;
  const sample = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  }, 2);
  try {
    for (let done = 0; done < times; done += 1) {
      if (done % 5 === 0) collectGarbage();
      await run();
    }
  } finally {
    clearInterval(sample);
  }
  return (mostBytes - beforeBytes) / megabyte;
}
