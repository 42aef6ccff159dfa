import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shareService, type TestService } from '../support/start-service.ts';
import { inParallel } from '../vat-check/support/in-parallel.ts';
import { brokenChunks, type RawPayload, smugglers } from './support/raw-payloads.ts';

const isFull = process.env['R24'] === 'full';
const slowSockets = isFull ? 1_000 : 200;
const lived = { lived: ['2026-11-20T16:00:00Z'] } as const;
const payloads: readonly RawPayload[] = [...smugglers, ...brokenChunks];

describe.each([
  ['through the fast path', true],
  ['without the fast path', false],
])('bytes that are no proper request, %s (reliability R24)', (way, fastPath) => {
  const service = shareService({ ...lived, config: { fastPath } });

  it('smuggle nothing in and bring nothing down', async () => {
    const [smuggled, failed, odd]: string[][] = [[], [], []];
    const statuses = new Map<number, number>();

    await inParallel(16, payloads, async ([name, bytes]) => {
      const answers = await sendAll(service(), bytes);
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (answers.includes(404)) smuggled?.push(name);
      if (answers.some((status) => status >= 500)) failed?.push(name);
      if (answers.length > 2) odd?.push(name);
    });

    console.log(
      `R24: ${payloads.length} raw payloads ${way}: ${smuggled?.length} smuggled, ` +
        `${failed?.length} × 5xx; answered ${JSON.stringify(Object.fromEntries(statuses))}`,
    );
    expect({ smuggled, failed, odd }).toEqual({ smuggled: [], failed: [], odd: [] });
    expect((await service().get('/rates')).status).toBe(200);
  });
});

describe('heads that do not come (reliability R24)', () => {
  const ways = [
    {
      way: 'through the fast path',
      service: shareService({ ...lived, config: { fastPath: true } }),
    },
    {
      way: 'without the fast path',
      service: shareService({ ...lived, config: { fastPath: false } }),
    },
  ];

  it('are waited for 7 s at most, however many there are; others are answered', async () => {
    await Promise.all(
      ways.map(async ({ way, service }) => {
        const { slowestMs, firsts, good } = await sendSlowly(service());

        console.log(
          `R24: ${slowSockets} slow sockets ${way}: the last was closed after ` +
            `${(slowestMs / 1_000).toFixed(1)} s, ` +
            `${good.filter((status) => status !== 200).length} of ${good.length} good requests failed`,
        );
        expect(new Set(good)).toEqual(new Set([200]));
        expect(new Set(firsts)).toEqual(new Set([408]));
        // Beside other suites the machine itself may be late.
        expect(slowestMs).toBeLessThan(isFull ? 7_000 : 20_000);
      }),
    );
  }, 60_000);
});

/** Opens all slow sockets at once, and asks as others do until the last of them is closed. */
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

/** The statuses of all answers until the server ends the connection, as which our half-close counts. */
async function sendAll(service: TestService, bytes: string): Promise<readonly number[]> {
  const { hostname, port } = new URL(service.apiUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received = collect(socket);
  socket.end(Buffer.from(bytes.replaceAll('{key}', service.key), 'latin1'));
  return statusesOf((await received).text);
}

function statusesOf(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Waits for the end, which the server has to make. */
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

/** A head that never ends: nothing of it, half of it, or a letter every half second. */
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
