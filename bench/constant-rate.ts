import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from './measure.ts';

/**
 * Sends requests at a constant rate, independent of the answers, and measures how long callers wait.
 *
 * wrk cannot do that: it sends the next request after the answer to the last one. A server that stops for a second
 * gets fewer requests and looks as fast as before (coordinated omission). Here the moment of each request is fixed in
 * advance, and its wait counts from that moment, also if all connections are busy or this process itself is late.
 * The reported waits are therefore never shorter than those of callers. A connection has one request at a time. The loop
 * spins instead of sleeping, because timers have a resolution of a millisecond.
 *
 * Run as a program with its core, a URL, a key, the rate and the seconds as arguments; prints a report.
 */
export type RateReport = {
  readonly answers: number;
  /** Answers per second; less than the requested rate if the server or this process was too slow. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
};

const connections = 64;

class Connection {
  readonly connected: Promise<unknown>;
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #onAnswer: (waitedMs: number) => void;
  #left = 0;
  #dueAtMs = 0;

  constructor(url: URL, request: Buffer, onAnswer: (waitedMs: number) => void) {
    // One buffer for all answers, because garbage collection here would look like a slow server.
    const buffer = Buffer.alloc(65_536);
    const callback = (size: number): boolean => {
      this.#read(buffer.subarray(0, size));
      return true;
    };
    this.#socket = connect({
      port: Number(url.port),
      host: url.hostname,
      noDelay: true,
      onread: { buffer, callback },
    });
    this.#request = request;
    this.#onAnswer = onAnswer;
    this.#socket.on('close', () => fail('the server closed a connection'));
    this.connected = once(this.#socket, 'connect');
  }

  send(dueAtMs: number): void {
    this.#dueAtMs = dueAtMs;
    this.#socket.write(this.#request);
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#left === 0) this.#left = readSize(chunk);
    this.#left -= chunk.length;
    if (this.#left < 0) fail('an answer was longer than its Content-Length');
    if (this.#left === 0) this.#onAnswer(performance.now() - this.#dueAtMs);
  }
}

/** The length of an answer, head and body. The bench measures no answers whose head comes in pieces. */
function readSize(chunk: Buffer): number {
  const end = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (end === -1 || length === undefined || !head.startsWith('HTTP/1.1 200 ')) {
    return fail(`unexpected answer: ${head.slice(0, 200)}`);
  }
  return end + 4 + Number(length);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function run(url: URL, key: string, rate: number, seconds: number): Promise<RateReport> {
  const head = [
    `GET ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    `Authorization: Bearer ${key}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const due = Math.round(rate * seconds);
  const waits = new Float64Array(due);
  let answered = 0;
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  for (let n = 0; n < connections; n += 1) {
    const connection: Connection = new Connection(url, request, (waitedMs) => {
      waits[answered] = waitedMs;
      answered += 1;
      idle.push(connection);
      if (answered === due) finish();
    });
    await connection.connected;
    idle.push(connection);
    all.push(connection);
  }
  const startedMs = performance.now();
  let sent = 0;
  const spin = (): void => {
    const dueNow = Math.min(due, ((performance.now() - startedMs) * rate) / 1_000);
    for (; sent < dueNow; sent += 1) {
      // The connection that has been idle longest, so that all 64 stay in use.
      const connection = idle.shift();
      if (connection === undefined) break;
      connection.send(startedMs + (sent * 1_000) / rate);
    }
    if (sent < due) setImmediate(spin);
  };
  spin();
  await done;
  const tookMs = performance.now() - startedMs;
  for (const connection of all) connection.close();
  const sorted = [...waits].sort((a, b) => a - b);
  return {
    answers: answered,
    rate: answered / (tookMs / 1_000),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    mostMs: sorted.at(-1) ?? Number.NaN,
  };
}

const [, , core = '1', url = '', key = '', rate = '', seconds = ''] = process.argv;
execFileSync('taskset', ['-cp', core, `${process.pid}`]);
console.log(JSON.stringify(await run(new URL(url), key, Number(rate), Number(seconds))));
