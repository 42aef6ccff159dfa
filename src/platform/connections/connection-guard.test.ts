import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../../test/support/wire.ts';
import { openLimited } from '../../../test/support/open-limited.ts';

const requestText = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const isOver = (all: readonly { readonly end: Socket }[]): boolean[] =>
  all.map(({ end }) => end.destroyed);

/** A server with few places, which answers `/slow` never and all else immediately. */
async function openFull(connectionsMax: number, trustedProxies: readonly string[] = []) {
  const listener: RequestListener = ({ url }, response) => {
    if (url !== '/slow') response.end('answer');
  };
  const opened = await openLimited(listener, { connectionsMax, trustedProxies });
  const { connections } = opened.limits;
  type Dialled = Awaited<ReturnType<typeof opened.dial>>;
  /** Opens a connection, and waits until there is room again. */
  const dial = async (): Promise<Dialled> => {
    const dialled = await opened.dial();
    await nextTurn();
    return dialled;
  };
  const dialWithKey = async (): Promise<Dialled> => {
    const dialled = await dial();
    connections.recognise(dialled.end);
    return dialled;
  };
  /** Sends a request, and waits until it is answered, or begun if its answer never comes. */
  const send = async ({ client, end }: Dialled, path: string): Promise<void> => {
    const sentBefore = end.bytesWritten;
    const readBefore = end.bytesRead;
    client.resume().write(requestText(path));
    await expect.poll(() => end.bytesRead).toBeGreaterThan(readBefore);
    await expect.poll(() => path === '/slow' || end.bytesWritten > sentBefore).toBe(true);
    await nextTurn();
  };
  return { ...opened, dial, dialWithKey, send };
}

describe('a new connection, if all places are taken,', () => {
  it('replaces the oldest one without a key, even if another with a key is idle', async () => {
    const { dial, dialWithKey, ended } = await openFull(3);
    const all = [await dialWithKey(), await dial(), await dial(), await dial()];

    expect(isOver(all)).toEqual([false, true, false, false]);
    expect(await ended()).toEqual({ connections: 1 });
  });

  it('replaces one without a key that does not read its answer', async () => {
    const { dial, send } = await openFull(2);
    const [unread, other] = [await dial(), await dial()];
    await send(unread, '/slow');

    const newest = await dial();

    expect(isOver([unread, other, newest])).toEqual([true, false, false]);
  });

  it('replaces the one with a key that has been idle longest', async () => {
    const { dialWithKey, send } = await openFull(3);
    const all = [await dialWithKey(), await dialWithKey(), await dialWithKey()];
    const [first] = all;
    if (first !== undefined) await send(first, '/');

    const newest = await dialWithKey();
    const next = await dialWithKey();

    expect(isOver([...all, newest, next])).toEqual([false, true, true, false, false]);
  });

  it('replaces none on which a request is being answered, and ends', async () => {
    const { dial, dialWithKey, send, ended } = await openFull(2);
    const all = [await dialWithKey(), await dialWithKey()];
    for (const one of all) await send(one, '/slow');

    const newest = await dial();

    expect(isOver([...all, newest])).toEqual([false, false, true]);
    expect(await ended()).toEqual({ connections: 1 });
  });

  it('leaves a tenth of the places to callers whose key is on its way', async () => {
    const { dial, dialWithKey } = await openFull(20);
    const held = [];
    while (held.length < 20) held.push(await dialWithKey());
    const callers = [await dial(), await dial()];

    for (let count = 0; count < 30; count += 1) await dialWithKey();
    const next = await dial();

    expect(isOver([...callers, next])).toEqual([true, false, false]);
    expect(isOver(held)).toEqual(Array(20).fill(true));
  });

  it('replaces an idle one of a trusted proxy, not one with a request', async () => {
    const { dial, send } = await openFull(2, ['127.0.0.1']);
    const [waiting, idle] = [await dial(), await dial()];
    await send(waiting, '/slow');

    const newest = await dial();

    expect(isOver([waiting, idle, newest])).toEqual([false, true, false]);
  });

  it('ends the other with a FIN, not with a reset', async () => {
    const { dial, dialWithKey, send } = await openFull(1);
    const { client, end } = await dialWithKey();
    await send({ client, end }, '/');
    const seen: string[] = [];
    for (const name of ['end', 'error', 'close']) client.on(name, () => seen.push(name));

    await dial();
    await expect.poll(() => client.destroyed).toBe(true);

    expect(seen).toEqual(['end', 'close']);
  });
});
