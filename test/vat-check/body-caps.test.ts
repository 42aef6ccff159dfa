import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { print, printHead, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';

/** The cap on an answer: of 64 KiB, on the wire and again after decoding. */
const capBytes = 65_536;
const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const gzipped = { 'Content-Encoding': 'gzip' };
const chunked = { 'Content-Type': 'text/xml', 'Transfer-Encoding': 'chunked' };

/** An answer of exactly so many bytes, well-formed: it ends in blanks. */
function answerOfBytes(bytes: number): string {
  return answerText().padEnd(bytes - (Buffer.byteLength(answerText()) - answerText().length), ' ');
}

/** Writes parts in chunks of HTTP, as fast as they are taken and until nobody takes them. */
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

// Made once: the sender shares its process with the service whose memory is measured.
const blanks = Buffer.alloc(megabyte, ' ');
const [start, end] = [Buffer.from('<!-- '), Buffer.from(` -->${answerText()}`)];
// Gzip allows any number of members, one behind the other: 64 of them are a gigabyte.
const packedBlanks = gzipSync(Buffer.alloc(16 * megabyte, ' '));
const packedZeros = gzipSync(Buffer.alloc(16 * megabyte));

/** By Member State. All are well-formed but one, so that nothing but the cap can refuse them. */
const bodies: Readonly<Record<string, (socket: Socket) => unknown>> = {
  AT: (socket) => socket.write(print(200, answerOfBytes(capBytes))),
  BE: (socket) => socket.write(print(200, answerOfBytes(capBytes + 1))),
  BG: (socket) => socket.write(print(200, gzipSync(answerOfBytes(capBytes)), gzipped)),
  CY: (socket) => socket.write(print(200, gzipSync(answerOfBytes(capBytes + 1)), gzipped)),
  CZ: async (socket) => pour(socket, [start, ...repeat(blanks, 1_024), end]),
  DE: async (socket) => {
    const parts = [gzipSync(start), ...repeat(packedBlanks, 64), gzipSync(end)];
    return pour(socket, parts, gzipped);
  },
  DK: async (socket) => pour(socket, repeat(packedZeros, 64), gzipped),
  EE: async (socket) => pour(socket, repeat(Buffer.alloc(1_000, ' '), Infinity)),
};

const registry = await RawRegistry.start((socket, { countryCode }) => {
  void bodies[countryCode]?.(socket);
});
afterAll(async () => registry[Symbol.asyncDispose]());

describe('the cap on an answer of the registry (R11)', () => {
  const service = shareService({ config: { viesUrl: registry.url, viesTimeoutMs: 5_000 } });
  const unreadable = errorForm(502, 'the registry answered with something that cannot be read');

  async function failureKind(): Promise<string | undefined> {
    const { text } = await service().askOps('/status');
    type Status = { upstreams: { vies: { lastFailure: { kind: string } | null } } };
    return (JSON.parse(text) as Status).upstreams.vies.lastFailure?.kind;
  }

  it.each([
    ['on the wire', 'AT'],
    ['after decoding', 'BG'],
  ])('lets 64 KiB through, counted %s', async (_, state) => {
    expect((await service().get(`/vatcheck/${state}/99`)).status).toBe(200);
  });

  it.each([
    ['a byte more on the wire', 'BE', /too-large/],
    ['a byte more after decoding', 'CY', /too-large/],
    ['a gigabyte on the wire', 'CZ', /too-large/],
    ['a gigabyte of comment in a megabyte of gzip', 'DE', /too-large/],
    ['a gigabyte of zeros in a megabyte of gzip', 'DK', /malformed|too-large/],
    ['a body that never ends', 'EE', /too-large/],
  ])('refuses %s: 502, without a second call', async (_, state, kind) => {
    const before = registry.checks.length;

    expect(formOf(await service().get(`/vatcheck/${state}/99`))).toEqual(unreadable);

    expect(registry.checks.length - before).toBe(1);
    expect(await failureKind()).toMatch(kind);
    await vi.waitFor(() => expect(registry.openSockets).toBeLessThanOrEqual(2));
  });

  it('costs no memory to speak of, however large the answer', async () => {
    const attack = async (): Promise<void> => {
      for (const state of ['CZ', 'DE', 'DK', 'EE']) await service().get(`/vatcheck/${state}/99`);
    };
    // What is allocated once is no growth.
    for (let round = 0; round < 3; round += 1) await attack();
    collectGarbage();
    const beforeBytes = process.memoryUsage.rss();
    let mostBytes = beforeBytes;
    const sample = setInterval(() => {
      mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    }, 2);

    for (let round = 0; round < 5; round += 1) await attack();

    clearInterval(sample);
    const grownBytes = mostBytes - beforeBytes;
    console.log(
      'R11: 20 answers of a gigabyte or without an end: ' +
        `memory + ${(grownBytes / megabyte).toFixed(1)} MB at most`,
    );
    expect(grownBytes).toBeLessThan(20 * megabyte);
  });
});
