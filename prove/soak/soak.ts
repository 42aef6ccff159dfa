import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { type Db, openDatabase } from '../../src/platform/database/database.ts';
import { addDays, formatInstant, isoDate } from '../../src/platform/time.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { Days } from './days.ts';
import { SteadyLoad } from './load.ts';
import type { During, LoopWaits } from './loop-watch.ts';
import type { ProbeReport } from './probe.ts';
import { requestKinds } from './request-kinds.ts';
import { SoakedServer } from './server.ts';
import type { Reading } from './slope.ts';
import { setMemberState } from '../../test/support/sandbox/scripts.ts';

export type SoakOptions = {
  readonly durationMs: number;
  readonly perSecond: number;
  /** Duration of one simulated day. */
  readonly dayMs: number;
  readonly sampleMs: number;
  /** Small answers of the upstreams, for a soak of seconds. */
  readonly isBrief: boolean;
  /** Modules that are preloaded into the server to break it. */
  readonly imports: readonly string[];
  /** Called with each sample. */
  readonly onSample: (sample: SoakSample) => void;
};

/** The memory and resources of the server at a time since the load began. */
export type SoakSample = ProbeReport & { readonly atMs: number };

/** The readings and counts of a soak. */
export type Soaked = {
  readonly samples: readonly SoakSample[];
  /** Open file descriptors, also while a job ran. */
  readonly descriptors: readonly Reading[];
  /** The waits of a thread without work on the same machine. */
  readonly idleLoop: LoopWaits;
  /** Days that were published under the load. */
  readonly daysCount: number;
  readonly answered: number;
  readonly unexpectedCount: number;
  /** The first unexpected answers and error lines of the log. */
  readonly unexpected: readonly string[];
  readonly kinds: ReadonlyMap<string, number>;
};

const firstDay = isoDate('2026-03-02');

/** Runs the server through many simulated days under a steady load, and samples its memory and resources. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  await using stack = new AsyncDisposableStack();
  const world = await startWorld(options, stack);
  const { folder, server, days, load } = world;
  const samples: SoakSample[] = [];
  const descriptors: Reading[] = [];
  const idle = new Worker(new URL('./idle-thread.ts', import.meta.url), {
    workerData: join(folder, 'idle-page'),
  });
  stack.defer(async () => void (await idle.terminate()));
  let during: During = 'rest';
  const turnTo = async (to: During): Promise<void> => {
    during = to;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    idle.postMessage(to);
    await server.send({ kind: 'watch', during: to });
  };
  await server.send({ kind: 'begin' });
  const startedMs = performance.now();
  const sinceStartMs = (): number => performance.now() - startedMs;
  load.start();
  stack.defer(async () => load.stop());

  const liveDays = async (): Promise<void> => {
    for (let n = 0.5; n * options.dayMs < options.durationMs; n += 1) {
      await pause(Math.max(0, n * options.dayMs - sinceStartMs()));
      if (sinceStartMs() < options.durationMs) await days.publishNextDay(server, turnTo);
    }
  };
  const readAll = async (): Promise<void> => {
    for (let nextMs = 0; nextMs < options.durationMs;) {
      await pause(Math.max(0, nextMs - sinceStartMs()));
      // A late reading replaces the missed ones: a slope needs readings at a distance from each other.
      nextMs = Math.max(nextMs, sinceStartMs()) + options.sampleMs;
      descriptors.push({ atMs: sinceStartMs(), value: server.countDescriptors() });
      // No sample during a job: its garbage collection would count as a wait of the job.
      if (during === 'job') continue;
      const sample = { ...(await server.send({ kind: 'sample' })), atMs: sinceStartMs() };
      samples.push(sample);
      options.onSample(sample);
    }
  };
  await Promise.all([liveDays(), readAll()]);
  await load.stop();
  await server.stop();
  const described = once(idle, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  idle.postMessage('end');
  const [idleLoop] = (await described) as [LoopWaits];
  return {
    samples,
    descriptors,
    idleLoop,
    daysCount: days.count,
    answered: load.answered,
    unexpectedCount: load.unexpectedCount + server.errors.length,
    unexpected: [...load.unexpected, ...server.errors.slice(0, 20)],
    kinds: load.kinds,
  };
}

type World = {
  readonly folder: string;
  readonly server: SoakedServer;
  readonly days: Days;
  readonly load: SteadyLoad;
};

async function startWorld(options: SoakOptions, stack: AsyncDisposableStack): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-soak-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const brief = { brief: true, historyFrom: addDays(firstDay, -120) };
  const sandbox = await startSandbox(options.isBrief ? brief : {});
  stack.defer(async () => sandbox.close());
  setMemberState(sandbox.scenario, 'FR', 'down');
  const days = new Days(sandbox, firstDay);

  const environment = environmentOf(sandbox, { folder, startMs: sandbox.clock.now() });
  const server = await SoakedServer.start({ environment, imports: options.imports });
  stack.defer(async () => server.stop());
  const db = await openDatabase(environment['DATABASE_URL'] ?? '');
  stack.defer(async () => db.destroy());
  const key = await makeKey(db, sandbox);
  await days.publishFirstDay(server);
  const receiverUrl = sandbox.receiverUrl('soak');
  await subscribe(server.apiUrl, { key, receiverUrl });
  const load = new SteadyLoad({
    url: server.apiUrl,
    key,
    receiverUrl,
    db,
    clock: sandbox.clock,
    perSecond: options.perSecond,
    kinds: requestKinds(firstDay),
  });
  return { folder, server, days, load };
}

/** The default settings of a server, with the upstreams of the sandbox. */
function environmentOf(
  sandbox: Sandbox,
  { folder, startMs }: { readonly folder: string; readonly startMs: number },
): Readonly<Record<string, string>> {
  return {
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(tmpdir(), 'vatfx-test-compile-cache'),
    SOAK_START_MS: String(startMs),
    DATABASE_URL: `file:${join(folder, 'vatfx.db')}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...sandbox.environment,
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_PORTS: new URL(sandbox.url).port,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  };
}

async function makeKey(db: Db, { clock }: Sandbox): Promise<string> {
  const limits = { rateLimit: 'none', quota: 'none' } as const;
  const { key } = await createKey(db, { name: 'soak', ...limits, at: formatInstant(clock.now()) });
  return key;
}

/** Creates the subscription that exists during the whole soak. */
async function subscribe(
  apiUrl: string,
  { key, receiverUrl }: { readonly key: string; readonly receiverUrl: string },
): Promise<void> {
  const { status } = await fetch(`${apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiverUrl }),
  });
  if (status !== 201) throw new Error(`a subscription was answered with ${status}`);
}
