import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLimited } from '../../../test/support/open-limited.ts';
import { readKernelQueues } from './kernel-queues.ts';

const requestText = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server whose answers have this many bytes, and a clock that the test advances. */
async function openAnswering(bytes: number, options: Parameters<typeof openLimited>[1] = {}) {
  const time = { nowMs: 0 };
  const opened = await openLimited((_request, response) => void response.end(Buffer.alloc(bytes)), {
    nowMs: () => time.nowMs,
    ...options,
  });
  /** Advances the clock, with a check of connections twice a second. */
  const pass = async (ms: number): Promise<void> => {
    for (const endMs = time.nowMs + ms; time.nowMs < endMs;) {
      time.nowMs += 500;
      await opened.limits.sweep();
    }
  };
  return { ...opened, pass };
}

/** Sends a request and waits until the kernel has taken as much of its answer as fits. */
async function sendAndNotRead({ client, end }: { client: Socket; end: Socket }): Promise<void> {
  client.pause();
  client.write(requestText);
  await expect.poll(() => end.bytesWritten).toBeGreaterThan(0);
  // The buffers of the kernel grow for a moment after they are full. Each byte they take is progress.
  let before = '';
  for (let unchanged = 0; unchanged < 10;) {
    await delay(20);
    const { _handle: handle } = end as Socket & { readonly _handle?: { writeQueueSize?: number } };
    const held = await readKernelQueues();
    const now = `${end.writableLength} ${handle?.writeQueueSize} ${held?.(end)}`;
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
  }
}

describe('answers that are not read', () => {
  it('end their connection after 10 s in which no byte leaves', async () => {
    const { dial, pass, ended } = await openAnswering(32_000_000);
    const connection = await dial();
    await sendAndNotRead(connection);

    await pass(9_500);
    const isOverEarly = connection.end.destroyed;
    await pass(6_000);

    expect([isOverEarly, connection.end.destroyed]).toEqual([false, true]);
    expect(await ended()).toEqual({ unread: 1 });
  });

  it('are sent to the end if some bytes leave every 8 s', async () => {
    const { dial, pass, ended } = await openAnswering(24_000_000);
    const { client, end } = await dial();
    await sendAndNotRead({ client, end });
    const reader = { read: 0 };
    client.on('data', (chunk: Buffer) => {
      reader.read += chunk.length;
      client.pause();
    });

    let seconds = 0;
    for (; end.writableLength > 0; seconds += 8) {
      await pass(8_000);
      // The kernel takes more bytes only after a part of its full buffer is free.
      for (const due = reader.read + 2_000_000; reader.read < due && end.writableLength > 0;) {
        client.resume();
        await turn();
      }
    }

    expect(seconds).toBeGreaterThan(20);
    expect(await ended()).toEqual({});
  });

  it.skipIf(process.platform !== 'linux')(
    'end their connection even if the kernel has taken them, if there are many connections',
    async () => {
      const limits = { anonymousUncheckedMax: 1 };
      const { dial, pass, ended } = await openAnswering(1_500_000, { limits });
      const unread = await dial();
      const idle = await dial();
      await sendAndNotRead(unread);
      await expect.poll(() => unread.end.writableLength).toBe(0);

      await pass(20_000);

      expect([unread.end.destroyed, idle.end.destroyed]).toEqual([true, false]);
      expect(await ended()).toEqual({ unread: 1 });
    },
  );

  it('end connections if they are too large in total, the slowest readers first', async () => {
    const limits = { heldInAllMax: 40_000_000 };
    const { dial, pass, ended } = await openAnswering(32_000_000, { limits });
    const first = await dial();
    await sendAndNotRead(first);
    await pass(1_000);
    const second = await dial();
    await sendAndNotRead(second);

    await pass(500);

    expect([first.end.destroyed, second.end.destroyed]).toEqual([true, false]);
    expect(await ended()).toEqual({ memory: 1 });
  });
});

describe('many connections', () => {
  it('of one address: the oldest one without a working key ends', async () => {
    const { dial, limits, ended, open, pass } = await openAnswering(1, { perAddressMax: 2 });
    const other = await dial('127.0.0.2');
    const known = await dial();
    limits.connections.recognise(known.end);
    const oldest = await dial();
    const younger = [await dial(), await dial()];

    await pass(2_500);

    const all = [other, known, oldest, ...younger].map(({ end }) => end.destroyed);
    expect(all).toEqual([false, false, true, false, false]);
    expect(await ended()).toEqual({ address: 1 });
    await expect.poll(open).toBe(4);
  });

  it('of one address that are opened together have 2 s to send a working key', async () => {
    const { dial, limits, ended, pass } = await openAnswering(1, { perAddressMax: 1 });
    const burst = [await dial(), await dial(), await dial()];

    await pass(1_500);
    for (const { end } of burst) limits.connections.recognise(end);
    await pass(5_000);

    expect(burst.map(({ end }) => end.destroyed)).toEqual([false, false, false]);
    expect(await ended()).toEqual({});
  });

  it('of a trusted proxy do not count against its address', async () => {
    const trustedProxies = ['127.0.0.0/30', '::1'];
    const { dial, ended, pass } = await openAnswering(1, { perAddressMax: 1, trustedProxies });

    const behind = [await dial(), await dial(), await dial()];
    await pass(5_000);

    expect(behind.map(({ end }) => end.destroyed)).toEqual([false, false, false]);
    expect(await ended()).toEqual({});
  });

  it('are logged once a minute with the number of ended ones', async () => {
    const { dial, pass, lines } = await openAnswering(1, { perAddressMax: 1 });

    for (const endAt of [1, 2, 3]) {
      await dial();
      await pass(endAt === 3 ? 60_000 : 2_500);
    }
    await dial();
    await dial();
    await pass(2_500);

    const logged = lines.map((line) => JSON.parse(line) as { count: number; reason: string });
    expect(logged.map(({ reason, count }) => [reason, count])).toEqual([
      ['address', 1],
      ['address', 1],
    ]);
  });
});
