import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shareService, type TestService } from '../support/start-service.ts';
import {
  type RawPayload,
  readable,
  smuggling,
  tooLarge,
  unreadableBodies,
  unreadableHeads,
} from '../support/raw-payloads.ts';
import { countOf, isFull, reportFigure } from '../support/proof.ts';
import { inParallel } from '../support/in-parallel.ts';
import { brokenChunks, smuggled, smugglers } from './support/raw-payloads.ts';

const slowSockets = countOf({ full: 1_000, perCommit: 200 });
const lived = {
  lived: ['2026-11-20T16:00:00Z'],
  config: { failedAuthPerMinute: 'none' },
} as const;
/** Each payload is followed by a request that must not be answered. */
const hostile: readonly RawPayload[] = [
  ...smugglers,
  ...brokenChunks,
  ...[unreadableHeads, smuggling, tooLarge, unreadableBodies]
    .flat()
    .map(([name, bytes]): RawPayload => [name, bytes + smuggled]),
];

describe('malformed requests (reliability R24)', () => {
  const service = shareService(lived);

  it('smuggle no request in and cause no 5xx', async () => {
    const sent = await sendEach(service(), [...hostile, ...readable]);

    const all = sent.flatMap(({ statuses }) => statuses);
    const smuggledIn = hostile.filter((_, at) => sent[at]?.statuses.includes(404));
    const failed = all.filter((status) => status >= 500);
    reportFigure(
      'R24',
      `${sent.length} raw payloads: ${smuggledIn.length} smuggled, ${failed.length} × 5xx; ` +
        `${all.length} answers, ${printCounts(all)}`,
    );
    expect(smuggledIn.map(([name]) => name)).toEqual([]);
    expect(failed).toEqual([]);
    // One answer, and at most the refusal of what is behind it.
    expect(sent.filter(({ statuses }) => statuses.length > 2)).toEqual([]);
    expect((await service().get('/rates')).status).toBe(200);
  });
});

describe('a server with a lenient parser (reliability R24)', () => {
  it('fails this check', async () => {
    const server = createServer({ insecureHTTPParser: true }, (request, response) => {
      request.resume();
      response.writeHead(request.url === '/smuggled' ? 404 : 200).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const sent = await sendEach({ apiUrl, key: 'x' }, hostile);

    expect(sent.filter(({ statuses }) => statuses.includes(404))).not.toEqual([]);
  });
});

describe('slow heads (reliability R24)', () => {
  const service = shareService(lived);

  it('are closed after 7 s at most, however many there are; other callers are answered', async () => {
    const { slowestMs, firsts, good } = await sendSlowly(service());

    const failed = good.filter((status) => status !== 200).length;
    reportFigure(
      'R24',
      `${firsts.length} slow sockets: all closed, the last after ${(slowestMs / 1_000).toFixed(1)} s; ` +
        `${failed} of ${good.length} good requests meanwhile failed`,
    );
    expect(good.length).toBeGreaterThan(20);
    expect(new Set(good)).toEqual(new Set([200]));
    expect(new Set(firsts)).toEqual(new Set([408]));
    // While other suites run, the machine itself may be late.
    expect(slowestMs).toBeLessThan(isFull ? 7_000 : 20_000);
  });
});

/** Opens all slow sockets together, and sends requests of other callers until the last socket is closed. */
async function sendSlowly(service: TestService): Promise<{
  readonly slowestMs: number;
  readonly firsts: readonly (number | undefined)[];
  readonly good: readonly number[];
}> {
  const sockets = Array.from({ length: slowSockets }, (_, at) => openSlow(service, at));
  const drip = setInterval(() => {
    for (const { socket, letter } of sockets) if (letter !== '') socket.write(letter);
  }, 500);
  const good: Promise<number>[] = [];
  const others = setInterval(() => {
    good.push(service.get('/rates').then(({ status }) => status));
  }, 20);
  onTestFinished(() => {
    clearInterval(drip);
    clearInterval(others);
  });

  const ended = await Promise.all(sockets.map(async ({ end }) => end));
  clearInterval(others);
  return {
    slowestMs: Math.max(...ended.map(({ lastedMs }) => lastedMs)),
    firsts: ended.map(({ first }) => first),
    good: await Promise.all(good),
  };
}

/** Sends each payload on a connection of its own; returns the statuses of all answers to it. */
async function sendEach(
  { apiUrl, key }: Pick<TestService, 'apiUrl' | 'key'>,
  payloads: readonly RawPayload[],
): Promise<{ readonly name: string; readonly statuses: readonly number[] }[]> {
  const sent: { name: string; statuses: readonly number[] }[] = [];
  const { hostname, port } = new URL(apiUrl);
  await inParallel(16, payloads, async ([name, bytes], at) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const received = collect(socket);
    socket.end(Buffer.from(bytes.replaceAll('{key}', key), 'latin1'));
    sent[at] = { name, statuses: statusesOf((await received).text) };
  });
  return sent;
}

/** Counts answers by status: `200: 51, 400: 670`. */
function printCounts(statuses: readonly number[]): string {
  return [...Map.groupBy(statuses, (status) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, all]) => `${status}: ${all.length}`)
    .join(', ');
}

function statusesOf(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Waits until the server ends the connection. */
async function collect(socket: Socket): Promise<{ readonly text: string; readonly atMs: number }> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => {
    socket.once('end', resolve).once('close', resolve);
  });
  socket.destroy();
  return { text, atMs: performance.now() };
}

/** A head that never ends: no byte of it, half of it, or a letter every half second. */
function openSlow(service: TestService, at: number) {
  const { hostname, port } = new URL(service.apiUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const starts = ['', 'GET /rates HTTP/1.1\r\nHost: x\r\n', 'GET /rates HTTP/1.1\r\nX: '];
  socket.write(starts[at % starts.length] ?? '');
  let connectedMs = Number.NaN;
  socket.once('connect', () => (connectedMs = performance.now()));
  const end = collect(socket).then(({ text, atMs }) => ({
    first: statusesOf(text)[0],
    lastedMs: atMs - connectedMs,
  }));
  return { socket, letter: at % starts.length === 2 ? 'x' : '', end };
}
