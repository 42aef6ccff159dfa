import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuReader } from './cpu.ts';
import { type Engine, startApi, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { serverCore } from './load.ts';
import { readMemoryMb, type Result, temporaryFolder } from './measure.ts';
import { findFreePort } from '../test/support/server-process.ts';
import { createKey } from './p3-cached-check.ts';

const readers = 1_000;
/** Connections that are opened at the same time: without a key, an address may have 256. */
const connectionsMax = 100;
const idleSeconds = 10;
/** Time in which the server has to take the requests of as many connections. */
const takenMs = 20_000;
/** Time after a burst of answers until the server has nothing left to do. */
const settleMs = 2_000;

/**
 * P17: 1,000 requests that wait for an event (rule E4).
 *
 * They add memory, connections included; statements and CPU time of the process in 10 s without an event. Then an
 * event is committed by this replica, and one by another; the time from the commit until the last reader has it is
 * measured. Each round has a server of its own, which has answered as many readers before.
 */
export async function measureWaitingReaders(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  const results: Result[] = [];
  for (const engine of [engines.sqlite, engines.postgresql]) {
    const key = createKey(engine.settings);
    const found: Figures[] = [];
    while (found.length < rounds) found.push(await measureEngine(engine, key, folder.path));
    const row = (what: string, of: keyof Figures, unit: string, goal: string): Result[] => {
      const figures = found.map((figure) => figure[of]).filter((figure) => figure !== undefined);
      return figures.length === 0
        ? []
        : [{ name: `P17 ${engine.name}, ${what}`, rounds: figures, unit, goal }];
    };
    results.push(
      ...row('memory of 1,000 readers', 'memoryMb', 'MB', goals.P17.memory),
      ...row('statements in 10 s, no reader', 'statementsBefore', 'statements', '—'),
      ...row('statements that readers add', 'statementsAdded', 'statements', goals.P17.statements),
      ...row('CPU in 10 s, no reader', 'cpuMsBefore', 'ms', '—'),
      ...row('CPU in 10 s that readers add', 'cpuMsAdded', 'ms', '—'),
      ...row('last reader woken', 'wokenMs', 'ms', goals.P17.woken),
      ...row(
        'last reader woken, event of another replica',
        'wokenByOtherMs',
        'ms',
        goals.P17.wokenByOther,
      ),
    );
  }
  return results;
}

type Figures = {
  readonly memoryMb: number;
  readonly statementsBefore: number;
  readonly statementsAdded: number;
  readonly cpuMsBefore: number;
  readonly cpuMsAdded: number;
  readonly wokenMs: number;
  /** Undefined on SQLite, which has one replica. */
  readonly wokenByOtherMs: number | undefined;
};

async function measureEngine(engine: Engine, key: string, folder: string): Promise<Figures> {
  const url = engine.settings['DATABASE_URL'] ?? '';
  await using running = new AsyncDisposableStack();
  const first = running.use(await startCounted(engine, folder));
  const readCpuMs = cpuReader(first, undefined);
  const waitIdle = async () => {
    const [statements, cpuMs] = [await ask(first, '/statements'), await readCpuMs()];
    await sleep(idleSeconds * 1_000);
    return {
      statements: (await ask(first, '/statements')) - statements,
      cpuMs: (await readCpuMs()) - cpuMs,
    };
  };

  // Warms up: code is compiled, and V8's young generation grows.
  await using warm = await Readers.wait(first, key);
  await ask(first, '/event');
  await warm.lastAt();
  await warm[Symbol.asyncDispose]();
  await sleep(settleMs);

  const before = await waitIdle();
  const memoryBeforeMb = readMemoryMb(first);
  await using waiting = await Readers.wait(first, key);
  const memoryMb = readMemoryMb(first) - memoryBeforeMb;
  const after = await waitIdle();
  const committedAt = await ask(first, '/event');
  const wokenMs = (await waiting.lastAt()) - committedAt;
  return {
    memoryMb,
    statementsBefore: before.statements,
    statementsAdded: after.statements - before.statements,
    cpuMsBefore: before.cpuMs,
    cpuMsAdded: after.cpuMs - before.cpuMs,
    wokenMs,
    wokenByOtherMs: url.startsWith('file:')
      ? undefined
      : await measureOther(running.use(await startCounted(engine, folder)), { key, first }),
  };
}

type Counted = Awaited<ReturnType<typeof startCounted>>;

async function startCounted(engine: Engine, folder: string) {
  const port = await findFreePort();
  const program = ['bench/counted-serve.ts', `${port}`];
  const logFile = join(folder, 'serve.log');
  const serve = await startApi(engine, { core: serverCore, logFile, program });
  return { ...serve, control: `http://127.0.0.1:${port}` };
}

/** The time until readers of one replica have an event of another. */
async function measureOther(
  other: Counted,
  { key, first }: { readonly key: string; readonly first: Counted },
): Promise<number> {
  await using waiting = await Readers.wait(other, key);
  const committedAt = await ask(first, '/event');
  return (await waiting.lastAt()) - committedAt;
}

async function ask({ control }: Counted, path: string): Promise<number> {
  return Number(await (await fetch(control + path)).text());
}

/**
 * Connections with one waiting request each, from the end of the log.
 *
 * They are plain sockets, because an HTTP client would need more time for 1,000 answers than the server.
 */
class Readers {
  readonly #sockets: Socket[] = [];
  readonly #answers: Promise<number>[] = [];

  static async wait(serve: Counted, key: string): Promise<Readers> {
    const { apiUrl } = serve;
    const headers = { authorization: `Bearer ${key}` };
    const end = await fetch(`${apiUrl}/events?after=now`, { headers });
    const { nextCursor } = (await end.json()) as { readonly nextCursor: string };
    const { hostname, port, host } = new URL(apiUrl);
    const request =
      `GET /events?after=${nextCursor}&waitSeconds=30 HTTP/1.1\r\nHost: ${host}\r\n` +
      `Authorization: ${headers.authorization}\r\n\r\n`;
    const waiting = new Readers();
    while (waiting.#sockets.length < readers) {
      const opened = Array.from({ length: connectionsMax }, () => connect(Number(port), hostname));
      await Promise.all(opened.map(async (socket) => once(socket, 'connect')));
      waiting.#add(opened, request);
      await untilWaiting(serve, waiting.#sockets.length);
    }
    return waiting;
  }

  #add(sockets: readonly Socket[], request: string): void {
    const answers = sockets.map(readAnswer);
    // Reported by `lastAt`; a reader that is disconnected first is not awaited.
    for (const answer of answers) answer.catch(() => {});
    for (const socket of sockets) socket.write(request);
    this.#sockets.push(...sockets);
    this.#answers.push(...answers);
  }

  /** The moment at which the last reader has its event. */
  async lastAt(): Promise<number> {
    return Math.max(...(await Promise.all(this.#answers)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Resolves when this many requests wait; rejects if that takes longer than the bench can explain. */
async function untilWaiting(serve: Counted, count: number): Promise<void> {
  const endMs = performance.now() + takenMs;
  for (;;) {
    const waiting = await ask(serve, '/waiting');
    if (waiting >= count) return;
    if (performance.now() > endMs) throw new Error(`${waiting} requests wait, not ${count}`);
    await sleep(100);
  }
}

/** The moment at which an answer with an event arrives. */
async function readAnswer(socket: Socket): Promise<number> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  const at = performance.timeOrigin + performance.now();
  const text = chunk.toString();
  if (!text.includes('"events":[{')) throw new Error(`a reader got no event: ${text}`);
  return at;
}
