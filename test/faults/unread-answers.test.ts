import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  createKey,
  get,
  startServe,
  type ServeProcess,
} from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { sendRequest } from '../support/send-request.ts';
import { countOf, isFull, reportFigure } from '../support/proof.ts';
import { startUnreadClients } from './support/unread-clients.ts';

const noLimits = { RATE_LIMIT_PER_MINUTE: 'none', QUOTA_PER_MONTH: 'none' };
/** Megabytes that a process may grow by. */
const growthMax = countOf({ full: 150, perCommit: 60 });
/**
 * Time in which the clients are watched, and nearly all of them end. Metrics are made for each request, so their answers
 * are all sent later.
 */
const watchedMs = { api: 20_000, ops: 30_000 } as const;
/** Deadline for the last of them; a slow processor takes longer until it has sent all answers. */
const lastMs = 90_000;
/** A commit waits only until the memory of the process has reached its maximum. */
const perCommitMs = 2_000;

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost:localhost\r\n\r\n`;
const attacks = [
  {
    what: 'with 500 requests each',
    count: countOf({ full: 400, perCommit: 40 }),
    bytes: { api: request('/docs').repeat(500), ops: request('/metrics').repeat(500) },
  },
  // One such answer leaves the process: the kernels of both sides hold it.
  {
    what: 'with three large answers each',
    count: countOf({ full: 2_000, perCommit: 0 }),
    bytes: { api: request('/openapi.json').repeat(3), ops: request('/metrics').repeat(24) },
  },
  {
    what: 'while the process may open 2,048 files',
    count: countOf({ full: 1_500, perCommit: 0 }),
    bytes: { api: request('/openapi.json').repeat(3), ops: request('/metrics').repeat(24) },
    filesMax: 2_048,
  },
].filter(({ count }) => count > 0);

describe.each([
  ['at the API', 'api'],
  ['at the operations port', 'ops'],
] as const)('clients that do not read, %s (reliability R24)', (way, port) => {
  it.for(attacks)(
    'cost little memory and are ended, $count of them $what; other callers are answered',
    { timeout: 180_000 },
    async ({ what, count, bytes, filesMax }) => {
      const { env } = await startUpstreams();
      const key = await createKey(env);
      const server = await startServe({ ...env, ...noLimits }, { filesMax });
      await eventually(async () => (await get(`${server.apiUrl}/rates`, key)).status === 200);
      // Memory that the first request allocates does not count as growth.
      await get(`${server.apiUrl}/docs`, '');
      await get(`${server.opsUrl}/metrics`, '');
      const before = look(server);
      const others = new Others(server.apiUrl, key);

      const url = port === 'api' ? server.apiUrl : server.opsUrl;
      await startUnreadClients({ url, count, bytes: bytes[port] });
      const watchMs = countOf({ full: watchedMs[port], perCommit: perCommitMs });
      const startedMs = performance.now();
      // Other callers open and close connections meanwhile.
      const mayEnd = (): boolean => !isFull || look(server).files - before.files < 10;
      for (let passedMs = 0; passedMs < watchMs || (passedMs < lastMs && !mayEnd());) {
        await wait(100);
        passedMs = performance.now() - startedMs;
      }
      const seconds = (performance.now() - startedMs) / 1_000;
      const after = look(server);
      const tookMs = await others.stop();

      const grown = after.mostMegabytes - before.megabytes;
      const left = after.files - before.files;
      const p99 = tookMs.toSorted((a, b) => a - b)[Math.ceil(tookMs.length * 0.99) - 1] ?? 0;
      reportFigure(
        'R24',
        `${count} clients that do not read, ${what}, ${way}: memory + ${grown.toFixed(0)} MB ` +
          `(bound: ${growthMax}), ${Math.max(left, 0)} of them there after ${seconds.toFixed(0)} s; ` +
          `${tookMs.length} requests of others, all answered, p99 ${p99.toFixed(0)} ms; ` +
          `connections that the caller without a key lost: ${others.lostByAnonymous}`,
      );
      expect(others.statuses).toEqual(new Set([200]));
      expect(grown).toBeLessThan(growthMax);
      if (!isFull) return;
      expect(left).toBeLessThan(10);
      expect(p99).toBeLessThanOrEqual(100);
    },
  );
});

/** Memory and descriptors that a process holds. */
function look({ process }: ServeProcess): {
  readonly megabytes: number;
  readonly mostMegabytes: number;
  readonly files: number;
} {
  const status = readFileSync(`/proc/${process.pid}/status`, 'latin1');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
  return {
    megabytes: read('VmRSS'),
    mostMegabytes: read('VmHWM'),
    files: readdirSync(`/proc/${process.pid}/fd`).length,
  };
}

/**
 * Callers with a key and one without, each on a connection of its own that it keeps.
 *
 * A caller with a key never loses its connection. The one without has the address of the clients that do not read, and
 * the oldest such connection is ended if there are too many; it connects again, as any client does.
 */
class Others {
  readonly statuses = new Set<number>();
  lostByAnonymous = 0;
  readonly #callers: Promise<number[]>[];
  #isOver = false;

  constructor(apiUrl: string, key: string) {
    const authorization = `Bearer ${key}`;
    this.#callers = [
      ...Array.from({ length: 4 }, async () =>
        this.#sendRequest(apiUrl, { path: '/rates', headers: { authorization } }),
      ),
      this.#sendRequest(apiUrl, { path: '/openapi.json' }, (error) => this.#connectAgain(error)),
    ];
  }

  /** How long each request took. */
  async stop(): Promise<readonly number[]> {
    this.#isOver = true;
    return (await Promise.all(this.#callers)).flat();
  }

  async #sendRequest(
    apiUrl: string,
    question: Parameters<typeof sendRequest>[1],
    onError: (error: unknown) => undefined = (error) => {
      throw error;
    },
  ): Promise<number[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const tookMs: number[] = [];
    while (!this.#isOver) {
      const startedMs = performance.now();
      const answer = await sendRequest(apiUrl, question, agent).catch(onError);
      if (answer === undefined) continue;
      this.statuses.add(answer.status);
      tookMs.push(performance.now() - startedMs);
      await wait(20);
    }
    return tookMs;
  }

  #connectAgain(error: unknown): undefined {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    this.lostByAnonymous += 1;
  }
}
