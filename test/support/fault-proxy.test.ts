import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Direction, FaultProxy } from './fault-proxy.ts';
import type { Fault } from './faulty-way.ts';
import { serveSocket } from './loopback-server.ts';
import { expectWithin } from './proof.ts';
import { patienceMs } from './eventually.ts';

const patience = { timeout: patienceMs, interval: 5 };

/** One end of a connection, and the text that it received. */
class End {
  readonly socket: Socket;
  readonly cameMs: number[] = [];
  text = '';
  /** The last event: `end` or an error code; empty before. */
  ending = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (part) => {
      this.text += String(part);
      this.cameMs.push(performance.now());
    });
    socket.on('end', () => (this.ending = 'end'));
    socket.on('error', (error) => (this.ending = 'code' in error ? String(error.code) : 'error'));
  }

  /** Waits until it has received exactly this text. */
  async hears(text: string): Promise<void> {
    await vi.waitFor(() => assert(this.text === text, `it received ${this.text}`), patience);
  }

  /** Waits for its end, and returns how it ended. */
  async ended(): Promise<string> {
    await vi.waitFor(() => assert(this.ending !== '', 'the connection is open'), patience);
    return this.ending;
  }
}

type Ends = Readonly<Record<'client' | 'server', End>>;

/** A server behind a proxy, and clients of it. */
async function open(seed?: number): Promise<{
  readonly proxy: FaultProxy;
  readonly join: () => Promise<Ends>;
}> {
  const arrived: Socket[] = [];
  const url = await serveSocket((socket) => void arrived.push(socket));
  const proxy = await FaultProxy.open(Number(new URL(url).port), seed);
  const join = async (): Promise<Ends> => {
    const socket = connect(Number(new URL(proxy.urlOf(url)).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const client = new End(socket);
    await once(socket, 'connect');
    await vi.waitFor(() => expect(arrived).toHaveLength(1), { timeout: patienceMs, interval: 5 });
    return { client, server: new End(arrived.pop() as Socket) };
  };
  return { proxy, join };
}

/** The sender and the receiver of each direction. */
const ends = { toServer: ['client', 'server'], toClient: ['server', 'client'] } as const;
const both = (['toServer', 'toClient'] as const).map((direction) => {
  const [from, to] = ends[direction];
  const back: Direction = direction === 'toServer' ? 'toClient' : 'toServer';
  return { direction, from, to, back };
});

describe('FaultProxy', () => {
  it('passes on the bytes and the end of each side', async () => {
    const { proxy, join } = await open();
    const { client, server } = await join();

    client.socket.write('question');
    await server.hears('question');
    server.socket.end('answer');
    await client.hears('answer');
    expect(await client.ended()).toBe('end');

    expect(proxy.accepted).toBe(1);
    await vi.waitFor(() => expect(proxy.openCount).toBe(0), patienceMs);
  });

  it('refuses connections until `accept` is called', async () => {
    const { proxy, join } = await open();
    const { client } = await join();
    const { port } = proxy;

    await proxy.refuse();
    await vi.waitFor(() => expect(client.socket.destroyed).toBe(true), patienceMs);
    await expect(join()).rejects.toThrow('ECONNREFUSED');
    await proxy.accept();
    const again = await join();
    again.client.socket.write('question');

    await again.server.hears('question');
    expect(proxy.port).toBe(port);
  });
});

describe.each(both)('a fault $direction', ({ direction, from, to, back }) => {
  /** A connection, begun before the fault or after it. */
  async function begin(fault: Fault, when: 'open' | 'new', seed?: number) {
    const { proxy, join } = await open(seed);
    const before = when === 'open' ? await join() : undefined;
    proxy.set(fault, { direction });
    const joined = before ?? (await join());
    return { proxy, join, sender: joined[from], receiver: joined[to] };
  }

  const whens = ['open', 'new'] as const;

  it.each(whens)(
    'latency: bytes arrive later and in order, those of the other direction immediately (%s)',
    async (when) => {
      const { sender, receiver } = await begin({ kind: 'latency', delayMs: 200 }, when);
      const startedMs = performance.now();

      receiver.socket.write('back');
      sender.socket.write('one ');
      await sender.hears('back');
      const backMs = performance.now() - startedMs;
      sender.socket.end('two');
      await receiver.hears('one two');
      expect(await receiver.ended()).toBe('end');

      expect((receiver.cameMs[0] ?? 0) - startedMs).toBeGreaterThanOrEqual(199);
      expectWithin(backMs, 199);
    },
  );

  it.each(whens)('drip: a few bytes at a time (%s)', async (when) => {
    const { sender, receiver } = await begin({ kind: 'drip', bytes: 2, everyMs: 30 }, when);
    const startedMs = performance.now();

    sender.socket.write('abcdefg');
    await receiver.hears('abcdefg');

    // Three pauses between four pieces; a slow receiver may read several pieces at once.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(80);
  });

  it.each(whens)(
    'cut: both ends get the end of the connection after a number of bytes (%s)',
    async (when) => {
      const { proxy, sender, receiver } = await begin({ kind: 'cut', afterBytes: 5 }, when);

      sender.socket.write('abc');
      await receiver.hears('abc');
      sender.socket.write('defg');
      expect(await receiver.ended()).toBe('end');
      expect(await sender.ended()).toBe('end');

      expect(receiver.text).toBe('abcde');
      await vi.waitFor(() => expect(proxy.openCount).toBe(0), patienceMs);
    },
  );

  it.each(whens)('reset: both ends get a reset after a number of bytes (%s)', async (when) => {
    const { proxy, sender, receiver } = await begin({ kind: 'reset', afterBytes: 3 }, when);

    sender.socket.write('ab');
    await receiver.hears('ab');
    sender.socket.write('cde');
    expect([await receiver.ended(), await sender.ended()]).toEqual(['ECONNRESET', 'ECONNRESET']);

    await vi.waitFor(() => expect(proxy.openCount).toBe(0), patienceMs);
  });

  it.each(whens)(
    'black hole: no bytes arrive, and all of them after it ends (%s)',
    async (when) => {
      const { proxy, sender, receiver } = await begin({ kind: 'black-hole', afterBytes: 2 }, when);

      sender.socket.write('abcd');
      receiver.socket.write('back');
      sender.socket.end();
      await sender.hears('back');
      for (let turns = 0; turns < 50; turns += 1) await turn();
      const [during, told] = [receiver.text, receiver.ending];
      proxy.heal({ direction: back });
      proxy.heal({ direction });
      await receiver.hears('abcd');
      expect(await receiver.ended()).toBe('end');

      expect([during, told]).toEqual(['ab', '']);
    },
  );

  it('bit flip: flips single bits, the same ones with the same seed', async () => {
    const text = 'a'.repeat(1_000);
    const run = async (
      seed: number,
    ): Promise<{ readonly text: string; readonly flips: number }> => {
      const world = await begin({ kind: 'bit-flip', everyBytes: 100 }, 'new', seed);
      world.sender.socket.end(text);
      expect(await world.receiver.ended()).toBe('end');
      return { text: world.receiver.text, flips: world.proxy.flips };
    };

    const [one, again, other] = [await run(7), await run(7), await run(8)];

    expect(one).toEqual(again);
    expect(other.text).not.toBe(one.text);
    expect(one.text).toHaveLength(text.length);
    expect(bitsBetween(one.text, text)).toBe(one.flips);
    expect(one.flips).toBeGreaterThan(2);
  });
});

function bitsBetween(one: string, other: string): number {
  let bits = 0;
  for (let at = 0; at < one.length; at += 1) {
    let left = one.charCodeAt(at) ^ other.charCodeAt(at);
    for (; left > 0; left >>= 1) bits += left & 1;
  }
  return bits;
}
