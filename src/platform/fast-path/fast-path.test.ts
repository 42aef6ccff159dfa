import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countGeneralRequests } from '../../../test/support/general-requests.ts';
import { requestFor, OpenFastPath } from '../../../test/support/open-fast-path.ts';
import { startService } from '../../../test/support/start-service.ts';
import { countAnswers, Wire } from '../../../test/support/wire.ts';
import { publicResult } from '../http/responses/prepared-response.ts';
import { createRepresentation } from '../http/responses/representation.ts';
import { FastPath } from './fast-path.ts';

const thing = (name: string): ReturnType<typeof publicResult> =>
  publicResult(createRepresentation(`"${name}"`), 'changes');
const timeouts = { firstHeadMs: 60_000, idleMs: 60_000 };

describe('a connection without a request', () => {
  it('gets a 408 when its time is over, and ends', async () => {
    const path = await OpenFastPath.open({
      find: thing,
      timeouts: { ...timeouts, firstHeadMs: 10 },
    });
    const wire = await path.connect();

    const received = await wire.until(() => wire.isEnded);

    expect(received.startsWith('HTTP/1.1 408 Request Timeout\r\n')).toBe(true);
    expect(received.endsWith('{"error":"request timeout"}')).toBe(true);
    await expect.poll(() => wire.serverEnd).toBe(undefined);
  });

  it('does not end before that, nor while another connection is answered', async () => {
    const path = await OpenFastPath.open({
      find: (name) => (name === 'slow' ? new Promise<never>(() => {}) : thing(name)),
      timeouts: { firstHeadMs: 10, idleMs: 10 },
    });
    const busy = await path.connect();
    await busy.sendApart(requestFor('slow'));
    const silent = await path.connect();

    await silent.until(() => silent.isEnded);

    expect([busy.isEnded, busy.received]).toEqual([false, '']);
  });

  it('gets no extra time for a head that begins late', async () => {
    const path = await OpenFastPath.open({
      find: thing,
      timeouts: { ...timeouts, firstHeadMs: 10 },
    });
    const wire = await path.connect();
    wire.send('GET /things/one HTTP/1.1\r\n');

    const received = await wire.until(() => wire.isEnded);

    expect(received.startsWith('HTTP/1.1 408 Request Timeout\r\n')).toBe(true);
  });

  it('is not ended by the timeout of the first head if node:http answers its request', async () => {
    const path = await OpenFastPath.open({
      find: thing,
      timeouts: { ...timeouts, firstHeadMs: 10 },
    });
    const wire = await path.connect();
    wire.send('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    await wire.until(() => wire.received.endsWith('general /other'));
    const silent = await path.connect();
    await silent.until(() => silent.isEnded);

    expect(wire.isEnded).toBe(false);
  });

  it('ends without an answer if it had a request before', async () => {
    const path = await OpenFastPath.open({ find: thing, timeouts: { ...timeouts, idleMs: 10 } });
    const wire = await path.connect();
    wire.send(requestFor('one'));

    const received = await wire.until(() => wire.isEnded);

    expect([countAnswers(received), received.endsWith('"one"')]).toEqual([1, true]);
  });

  it('may send a request until its time is over, however long its first head took', async () => {
    const path = await OpenFastPath.open({
      find: thing,
      timeouts: { ...timeouts, firstHeadMs: 10 },
    });
    const wire = await path.connect();
    wire.send(requestFor('one'));
    await wire.answers(1);
    const silent = await path.connect();
    await silent.until(() => silent.isEnded);

    wire.send(requestFor('two'));
    const received = await wire.answers(2);

    expect(received.endsWith('"two"')).toBe(true);
  });
});

describe('a stop', () => {
  it('hands requests over to node:http, which answers with Connection: close', async () => {
    let isClosing = false;
    const path = await OpenFastPath.open({ find: thing, isClosing: () => isClosing });
    const wire = await path.connect();
    wire.send(requestFor('one'));
    await wire.answers(1);

    isClosing = true;
    wire.send(requestFor('two'));
    await wire.answers(2);

    expect([path.left, path.fastPath.arrived]).toEqual([['/things/two'], 2]);
  });

  it('ends idle connections, and lets the others get their answers', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof thing>>();
    const path = await OpenFastPath.open({
      find: (name) => (name === 'slow' ? promise : thing(name)),
    });
    const idle = await path.connect();
    const asked = await path.connect();
    asked.send(requestFor('one'));
    await asked.answers(1);
    const busy = await path.connect();
    await busy.sendApart(requestFor('slow'));

    path.fastPath.closeIdle();
    await Promise.all([idle.until(() => idle.isEnded), asked.until(() => asked.isEnded)]);
    resolve(thing('slow'));
    const received = await busy.answers(1);

    expect(received.endsWith('"slow"')).toBe(true);
  });

  it('ends all connections at the end of its time', async () => {
    const path = await OpenFastPath.open({ find: async () => new Promise(() => {}) });
    const busy = await path.connect();
    await busy.sendApart(requestFor('slow'));

    path.fastPath.close();
    await busy.until(() => busy.isEnded);

    expect(busy.received).toBe('');
  });

  it('of the service answers every request of an open connection; the last answer has Connection: close', async () => {
    const service = await startService({
      lived: ['2026-11-20T16:00:00Z'],
      config: { fastPath: true },
    });
    const { apiUrl } = service;
    const left = countGeneralRequests(() => apiUrl);
    const wire = await Wire.open(apiUrl);
    const request = `GET /rates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
    wire.send(request);
    await wire.answers(1);
    const stopped = service.stop();

    let asked = 1;
    while (!/\r\nConnection: close\r\n/i.test(wire.received) && !wire.isEnded) {
      wire.send(request);
      asked += 1;
      await wire.answers(asked);
    }
    await stopped;

    expect(wire.received).toMatch(/\r\nConnection: close\r\n/i);
    expect([countAnswers(wire.received), left()]).toEqual([asked, 1]);
  });
});

describe('a client that does not read', () => {
  it('is not read, and gets no bytes of another response', async () => {
    const body = `"${'x'.repeat(30_000)}"`;
    const path = await OpenFastPath.open({
      find: () => publicResult(createRepresentation(body), 'changes'),
    });
    const slow = [await path.connect(), await path.connect()];
    const quick = await path.connect();
    for (const wire of slow) wire.socket.pause();

    const asked = [0, 0];
    const isFull = (at: number): boolean => slow[at]?.serverEnd?.writableNeedDrain === true;
    while (!isFull(0) || !isFull(1)) {
      for (const [at, wire] of slow.entries()) {
        if (isFull(at)) continue;
        await wire.sendApart(requestFor('one'));
        asked[at] = (asked[at] ?? 0) + 1;
      }
    }
    quick.send(requestFor('one'));
    await quick.answers(1);
    for (const wire of slow) wire.socket.resume();
    for (const [at, wire] of slow.entries()) await wire.answers(asked[at] ?? 0);

    const all = [...slow, quick].map(({ received }) => received).join('');
    const ids = all.match(/(?<=x-request-id: )[\w-]+/g) ?? [];
    expect(new Set(ids).size).toBe((asked[0] ?? 0) + (asked[1] ?? 0) + 1);
    expect(all.split(body)).toHaveLength(ids.length + 1);
    expect(path.left).toEqual([]);
  });

  it('gets the remaining answers when it reads again', async () => {
    const body = `"${'x'.repeat(8_000_000)}"`;
    const path = await OpenFastPath.open({
      find: () => publicResult(createRepresentation(body), 'changes'),
    });
    const wire = await path.connect();
    wire.socket.pause();
    await wire.sendApart(requestFor('one'));
    await wire.sendApart(requestFor('two'));
    const startedBefore = path.fastPath.arrived;

    wire.socket.resume();
    const received = await wire.answers(2);

    expect([startedBefore, received.split(body).length]).toEqual([1, 3]);
  });
});

it('refuses a server whose connections have another listener', () => {
  const server = createServer().on('connection', () => {});
  onTestFinished(() => void server.close());

  expect(() => new FastPath(server, {} as ConstructorParameters<typeof FastPath>[1])).toThrow(
    'the connections of the server already have another listener',
  );
});
