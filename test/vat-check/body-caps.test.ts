import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { floods, gzipped, measureGrowth } from '../faults/support/large-bodies.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { shareService } from '../support/start-service.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';
import { patienceMs } from '../support/eventually.ts';

/** The cap on an answer: 64 KiB on the wire, and 64 KiB after decoding. */
const capBytes = 65_536;
const rounds = countOf({ full: 50, perCommit: 5 });

/** A well-formed answer of exactly so many bytes: it ends in blanks. */
function answerOfBytes(bytes: number): string {
  return answerText().padEnd(bytes - (Buffer.byteLength(answerText()) - answerText().length), ' ');
}

/** Answers by Member State. All but one are well-formed, so that only the cap can refuse them. */
const bodies: Readonly<Record<string, (socket: Socket) => unknown>> = {
  AT: (socket) => socket.write(print(200, answerOfBytes(capBytes))),
  BE: (socket) => socket.write(print(200, answerOfBytes(capBytes + 1))),
  BG: (socket) => socket.write(print(200, gzipSync(answerOfBytes(capBytes)), gzipped)),
  CY: (socket) => socket.write(print(200, gzipSync(answerOfBytes(capBytes + 1)), gzipped)),
  CZ: async (socket) => floods['a gigabyte on the wire'](socket, answerText()),
  DE: async (socket) => floods['a gigabyte of comment in a megabyte of gzip'](socket, answerText()),
  DK: async (socket) => floods['a gigabyte of zeros in a megabyte of gzip'](socket),
  EE: async (socket) => floods['a body that never ends'](socket),
};

const registry = await RawRegistry.start((socket, { countryCode }) => {
  void bodies[countryCode]?.(socket);
});
afterAll(async () => registry[Symbol.asyncDispose]());

describe('the cap on an answer of the registry (R11)', () => {
  const service = shareService({ timers: new ManualTimers(), config: { viesUrl: registry.url } });
  const unreadable = errorForm(502, 'the registry answered with something that cannot be read');

  async function failureKind(): Promise<string | undefined> {
    const { text } = await service().sendToOps('/status');
    type Status = { upstreams: { vies: { lastFailure: { kind: string } | null } } };
    return (JSON.parse(text) as Status).upstreams.vies.lastFailure?.kind;
  }

  it.each([
    ['on the wire', 'AT'],
    ['after decoding', 'BG'],
  ])('accepts 64 KiB, counted %s', async (_, state) => {
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
    await vi.waitFor(() => expect(registry.openSockets).toBeLessThanOrEqual(2), patienceMs);
  });

  it('keeps memory small for an answer of any size', async () => {
    let asked = 0;
    let refused = 0;
    const attack = async (): Promise<void> => {
      for (const state of ['CZ', 'DE', 'DK', 'EE']) {
        const { status, text } = await service().get(`/vatcheck/${state}/99`);
        asked += 1;
        if (status === 502 && text.includes('cannot be read')) refused += 1;
      }
    };

    const grownMegabytes = await measureGrowth(rounds, attack);

    reportFigure(
      'R11',
      `VIES: ${refused} of ${asked} answers of a gigabyte or without an end refused with the right ` +
        `error, memory + ${grownMegabytes.toFixed(1)} MB at most (bound 20 MB)`,
    );
    expect(refused).toBe(asked);
    expect(grownMegabytes).toBeLessThan(20);
  });
});
